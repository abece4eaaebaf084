"""Every screen in every state, language, theme and size: nothing an inspection finds."""

import re
from typing import Final, Literal

import pytest
from flask import Flask
from playwright.sync_api import ViewportSize

from pms.rules.enumerations import StaffRole
from tests.screens.inspection import (
    measures,
    sideways,
    sideways_when_strained,
    small_for_fingers,
    violations,
)
from tests.screens.screens import NO_SCREENS, SCREENS, Screen
from tests.screens.visiting import (
    DESKTOP,
    PHONE,
    Looker,
    Visit,
    opened_context,
    states_of,
    too_heavy,
    visit,
)

KEY: Final = re.compile(r"(?<![\w./@-])[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)+(?![\w./@-])")
# What a provider calls its events is quoted as code, in its own words.
_WORDS_OF_OURS: Final = """() => {
  const shown = document.querySelector("main").cloneNode(true);
  shown.querySelectorAll("code, pre").forEach(quoted => quoted.remove());
  return shown.innerText;
}"""
SIZES: Final = {"phone": PHONE, "desktop": DESKTOP}
# Each language meets each size and each theme; every pair of the three is looked at.
LOOKS: Final[dict[tuple[str, str], Literal["light", "dark"]]] = {
    ("ja", "phone"): "light",
    ("en", "phone"): "dark",
    ("ja", "desktop"): "dark",
    ("en", "desktop"): "light",
}
SMALLEST: Final[ViewportSize] = {"width": 320, "height": 640}
WITH_A_PHONE: Final = {StaffRole.HOUSEKEEPING, StaffRole.MAINTENANCE}
# A page without anything, or with very much, is read by axe in these two alone.
ALWAYS: Final = {("ja", "phone"), ("ja", "desktop")}


def test_every_page_is_in_the_matrix(app: Flask) -> None:
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if rule.endpoint.partition(".")[0]
        in {
            "contractor_links",
            "dashboard",
            "doors",
            "guest_checkin",
            "owner",
            "reservation_links",
            "resident",
        }
        and "GET" in (rule.methods or ())
    }
    looked_at = {screen.endpoint for screen in SCREENS}
    assert pages - looked_at - NO_SCREENS.keys() == set(), "they have no line in screens.py"
    assert (looked_at | NO_SCREENS.keys()) - pages == set(), "these lines speak of no page"


@pytest.mark.parametrize(("language", "size"), LOOKS)
@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_a_screen_is_in_order(screen: Screen, language: str, size: str, looker: Looker) -> None:
    context = opened_context(looker, screen, language, SIZES[size])
    found = []
    for state in states_of(looker.world, screen):
        visited = visit(context, looker.world, screen, state)
        complaints = complaints_of(visited, screen, state)
        complaints += sideways(visited.page, f"of a {size}")
        if state in ("normal", "error") or (language, size) in ALWAYS:
            complaints += violations(visited.page, LOOKS[language, size])
        if visited.page.locator("html").get_attribute("lang") != language:
            complaints.append("another language")
        if size == "phone" and (screen.is_for_phones or screen.role in WITH_A_PHONE):
            complaints += small_for_fingers(visited.page)
        if size == "phone" and screen.is_for_phones:
            visited.page.set_viewport_size(SMALLEST)
            complaints += sideways(visited.page, "of the smallest phone")
            visited.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        if size == "phone":
            complaints += sideways_when_strained(visited.page)
        found += [f"{state}: {each}" for each in complaints]
        visited.page.close()
    context.close()
    assert not found, "\n" + "\n".join(found)


def complaints_of(visited: Visit, screen: Screen, state: str) -> list[str]:
    page = visited.page
    found = measures(page, screen.budget.elements)
    found += [f"a key: {each}" for each in KEY.findall(page.evaluate(_WORDS_OF_OURS))]
    if state != "error":
        return found + too_heavy(visited, screen)
    if isinstance(screen.error, str) or screen.is_told_at_once:
        return found
    if not page.title().startswith(("Error", "エラー")):
        found.append("the title does not tell the error")
    if not page.evaluate("document.activeElement.matches('.error-summary')"):
        found.append("the focus is not on the summary of errors")
    return found


def test_no_two_screens_share_a_title(looker: Looker) -> None:
    titles: dict[str, str] = {}
    for screen in SCREENS:
        context = opened_context(looker, screen, "en", DESKTOP)
        title = visit(context, looker.world, screen, "normal").page.title()
        context.close()
        assert titles.setdefault(title, screen.endpoint) == screen.endpoint, title
        assert title.count(" - ") >= 1, f"“{title}” does not say thing - area - workspace"
