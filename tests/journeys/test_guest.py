"""Journey 1: a foreign guest from the link to "ready": 4 screens, 15 taps, 51 characters."""

import io
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask import Flask
from PIL import Image
from playwright.sync_api import Locator, expect

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.cast import Cast
from tests.journeys.hands import KEYS, ON_A_PHONE, PLAIN, TOUCH, Hand, hand_of, walked_by
from tests.surfaces.guest_checkin.conftest import Stay, link_now, made_stay
from tests.surfaces.manual.browser import BrowserOfTests, served

MOST_SCREENS, MOST_TAPS, MOST_CHARACTERS, MOST_SECONDS = 4, 15, 51, 55
_SECONDS_OF_A_PHOTO = 15
_PHONE = {"width": 390, "height": 844}
_ADDRESS, _NATIONALITY, _PASSPORT = "1 High Street, Leeds", "UK", "533401372"


@dataclass
class Guest:
    """A guest with a telephone; what is typed is counted."""

    hand: Hand
    stay: Stay
    characters: int = 0

    def taps(self, target: Locator) -> None:
        """Tap, or reach it by Tab and press Enter."""
        if self.hand.way == TOUCH:
            target.tap()
        else:
            self.hand.presses_on(target)

    def types(self, name: str, text: str) -> None:
        """Type into a field, which is tapped first."""
        field = self.hand.page.locator(f"[name={name}]")
        self.characters += len(text)
        if self.hand.way != TOUCH:
            self.hand.types(field, text)
            return
        field.tap()
        self.hand.page.keyboard.type(text)

    def takes_a_photo(self) -> None:
        """Tap the field and take the picture."""
        content = io.BytesIO()
        Image.new("RGB", (1600, 1120), "teal").save(content, "JPEG")
        file = {"name": "passport.jpg", "mimeType": "image/jpeg", "buffer": content.getvalue()}
        field = self.hand.page.locator("[name=passport]")
        if self.hand.way == TOUCH:
            with self.hand.page.expect_file_chooser() as chosen:
                field.tap()
            chosen.value.set_files(file)  # type: ignore[arg-type]
        else:
            field.set_input_files(file)  # type: ignore[arg-type]

    def chooses_a_time(self) -> None:
        """Open the list and take a time: two taps, of which a browser without a head sees one."""
        self.hand.page.locator("[name=arrivalTime]").select_option("17:00")
        self.hand.presses += 2

    def ticks(self) -> None:
        """Agree to the rules of the house."""
        box = self.hand.page.locator("[name=acceptsRules]")
        if self.hand.way == KEYS:
            self.hand.reaches(box)
            self.hand.page.keyboard.press("Space")
        else:
            self.taps(box)


@pytest.fixture
def guest(
    browser_of_tests: BrowserOfTests, app: Flask, clock: FixedClock, cast: Cast, way: str
) -> Iterator[Guest]:
    """A guest at the page their link opened."""
    stay = made_stay(app, clock, cast.sumida)
    with served(app) as base:
        context = browser_of_tests.opened().new_context(
            base_url=base,
            viewport=_PHONE,  # type: ignore[arg-type]  # a plain mapping is what it takes
            has_touch=True,
            java_script_enabled=way != PLAIN,
        )
        context.set_default_timeout(15_000)
        yield Guest(hand_of(context, way, stay.home), stay)
        browser_of_tests.end_context(context)


@walked_by(TOUCH, ON_A_PHONE)
def test_from_the_link_to_ready(guest: Guest, database: Database, clock: FixedClock) -> None:
    hand, screens = guest.hand, 1
    hand.opens("")
    guest.taps(hand.link("Start check-in"))
    screens += 1
    guest.takes_a_photo()
    guest.types("nationality", _NATIONALITY)
    guest.types("passportNumber", _PASSPORT)
    guest.types("address", _ADDRESS)
    guest.taps(hand.button("Next"))
    screens += 1
    guest.chooses_a_time()
    guest.ticks()
    guest.taps(hand.button("Finish check-in"))
    screens += 1
    expect(hand.page.get_by_role("heading", level=1)).to_have_text("How to get in")
    expect(hand.page.locator("main")).to_contain_text("You are checked in")
    expect(hand.page.locator("main")).to_contain_text("Sat 21 Nov 2026, 15:00 JST")
    link = link_now(database, clock, guest.stay)
    assert link.finished_at is not None
    assert link.arrival_time == "17:00"
    assert screens <= MOST_SCREENS
    assert guest.characters <= MOST_CHARACTERS
    if hand.way == TOUCH:
        assert 0 < hand.presses <= MOST_TAPS, f"{hand.presses} taps"
        seconds = 1.1 * hand.presses + 0.4 * guest.characters + 1.35 * screens
        assert seconds + _SECONDS_OF_A_PHOTO <= MOST_SECONDS


@walked_by(PLAIN, ON_A_PHONE)
def test_who_lives_in_japan_is_asked_for_no_passport(guest: Guest) -> None:
    hand = guest.hand
    hand.opens("/people/1")
    expect(hand.page.locator("[name=passportNumber]")).to_be_visible()
    hand.chooses("livesInJapan", "yes")
    expect(hand.page.locator("[name=passportNumber]")).to_be_hidden()
    guest.types("address", "東京都墨田区")
    guest.taps(hand.button("Next"))
    expect(hand.page.get_by_role("heading", level=1)).to_have_text("Arrival")
