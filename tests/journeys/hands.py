"""The hands that walk a journey: a mouse or a thumb whose presses are counted, keys, no scripts."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import BrowserContext, FilePayload, Locator, Page, expect

MOUSE: Final = "mouse"
TOUCH: Final = "touch"
KEYS: Final = "keys"
PLAIN: Final = "without scripts"
AT_A_DESK: Final = (MOUSE, KEYS, PLAIN)
ON_A_PHONE: Final = (TOUCH, KEYS, PLAIN)
_MOST_STOPS: Final = 150
_COUNTS: Final = """
addEventListener("pointerdown", (event) => { if (event.isTrusted) window.pressed(); }, true);
"""
_HAS_FOCUS: Final = "(element) => element === document.activeElement"


def walked_by(first: str, hands: tuple[str, ...] = AT_A_DESK) -> pytest.MarkDecorator:
    """Have a test walk its journey by each of the hands, in the quick tier by the first alone.

    The journeys choose different ones, so that every surface is walked by every hand.
    """
    assert first in hands
    later = pytest.mark.thorough(f"the same journey as by {first}, by another hand")
    ways = [pytest.param(one, marks=() if one == first else later) for one in hands]
    return pytest.mark.parametrize("way", ways)


@dataclass
class Hand:
    """Somebody at a page of the desk."""

    page: Page
    way: str
    home: str
    presses: int = 0

    @property
    def is_mouse(self) -> bool:
        return self.way == MOUSE

    @property
    def is_plain(self) -> bool:
        return self.way == PLAIN

    def opens(self, path: str) -> None:
        """Open a page of the desk, where the journey begins."""
        self.page.goto(f"{self.home}{path}")

    def link(self, name: str, within: str = "main") -> Locator:
        """The first link of that name."""
        return self.page.locator(within).get_by_role("link", name=name).first

    def button(self, name: str) -> Locator:
        """The first button of that name in the page."""
        return self.page.locator("main, dialog[open]").get_by_role("button", name=name).first

    def finds(self, name: str, place: str = "") -> None:
        """Find somebody by name from any page of the desk, as one finds a person of no list."""
        self.presses_on(self.page.locator(".title-search"))
        field = self.page.locator(".palette [name=q]")
        if self.is_plain:
            field.fill(name)
            self.presses_on(self.button("Search"))
        else:
            expect(field).to_be_focused()
            self.page.keyboard.type(name)
        lines = self.page.locator(".found .due-line").filter(has_text=place)
        self.presses_on(lines.get_by_role("link", name=name, exact=True).first)
        expect(self.page.locator("h1")).to_contain_text(name)

    def presses_on(self, target: Locator) -> None:
        """Press a link or a button: by the mouse, or reached by Tab and pressed by Enter."""
        if self.way == KEYS:
            self.reaches(target)
            self.page.keyboard.press("Enter")
        else:
            target.click()

    def chooses(self, name: str, value: str) -> None:
        """Choose one of a few cards."""
        card = self.page.locator(f"input[name='{name}'][value='{value}']")
        if self.way != KEYS:
            card.click()
            return
        group = self.page.locator(f"input[name='{name}']")
        self.reaches(group.first)
        for _ in range(group.count()):
            if card.evaluate(_HAS_FOCUS):
                break
            self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Space")
        expect(card).to_be_checked()

    def chooses_file(self, field: Locator, file: Path | FilePayload) -> None:
        """Choose a file in the window that the system opens."""
        with self.page.expect_file_chooser() as chosen:
            self.presses_on(field)
        chosen.value.set_files(file)
        self.presses += 2  # the file, and the button of that window

    def types(self, target: Locator, text: str) -> None:
        """Type into a field that has the focus or is reached by Tab."""
        if self.is_plain:
            target.fill(text)
            return
        self.reaches(target)
        self.page.keyboard.type(text)

    def reaches(self, target: Locator) -> None:
        """Press Tab until the target has the focus."""
        expect(target).to_be_visible()
        for _ in range(_MOST_STOPS):
            if target.evaluate(_HAS_FOCUS):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no way by Tab to {target}")

    def takes_at_most(self, presses: int) -> None:
        """Compare the presses of the mouse with the target of the journey."""
        if self.is_mouse:
            assert 0 < self.presses <= presses, f"{self.presses} presses"


def hand_of(context: BrowserContext, way: str, home: str) -> Hand:
    """Return a hand at a new page of a context."""
    hand = Hand(context.new_page(), way, home)

    def press() -> None:
        hand.presses += 1

    if way != PLAIN:
        context.expose_function("pressed", press)
        context.add_init_script(_COUNTS)
    return hand
