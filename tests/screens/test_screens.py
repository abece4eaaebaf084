"""Every screen in every state, language, theme and size: nothing an inspection finds."""

import re
import zlib
from collections.abc import Iterator
from typing import Final

import pytest
from flask import Flask

from pms.rules.enumerations import StaffRole
from tests.screens.inspection import Findings, findings, sideways_when_strained, violations
from tests.screens.screens import NO_SCREENS, SCREENS, Screen
from tests.screens.visiting import Look, Looker, Visit, states_of, too_heavy, visit
from tests.screens.world import World

KEY: Final = re.compile(r"(?<![\w./@-])[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)+(?![\w./@-])")
# Each language meets each size and each theme; every pair of the three is looked at.
LOOKS: Final = (
    Look("ja", "phone", "light"),
    Look("en", "phone", "dark"),
    Look("ja", "desktop", "dark"),
    Look("en", "desktop", "light"),
)
ON_A_PHONE: Final = LOOKS[:2]
WITH_A_PHONE: Final = {StaffRole.HOUSEKEEPING, StaffRole.MAINTENANCE}


def is_for_thumbs(screen: Screen) -> bool:
    """Tell whether those who work with a phone in one hand use a screen."""
    return screen.is_for_phones or screen.role in WITH_A_PHONE


def first_look(screen: Screen) -> Look:
    """Return the one look of the quick tier: it hangs on the name of the screen alone."""
    looks = ON_A_PHONE if is_for_thumbs(screen) else LOOKS
    return looks[zlib.crc32(screen.name.encode()) % len(looks)]


def is_quickly_seen(screen: Screen, state: str) -> bool:
    """Tell whether the quick tier looks at a state: a refused form on one screen of three."""
    is_chosen = zlib.crc32(screen.name.encode()) // len(LOOKS) % 3 == 0
    return state == "normal" or (state == "error" and is_chosen)


def is_read_by_axe(look: Look, state: str, *, is_quick: bool) -> bool:
    """A page without anything, or with very much, is read in Japanese alone."""
    if is_quick:
        return state == "normal"
    return state in ("normal", "error") or look.language == "ja"


def screens_and_looks() -> Iterator[object]:
    for screen in SCREENS:
        for look in LOOKS:
            others = pytest.mark.thorough("another look at a screen the quick tier looks at too")
            yield pytest.param(
                screen,
                look,
                id=f"{screen.name}-{look}",
                marks=() if look == first_look(screen) else others,
            )


def test_every_page_is_in_the_matrix(app: Flask) -> None:
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if rule.endpoint.partition(".")[0]
        in {
            "contractor_links",
            "dashboard",
            "auth",
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


def test_every_screen_has_a_name_of_its_own() -> None:
    assert len({screen.name for screen in SCREENS}) == len(SCREENS)


def test_the_quick_tier_uses_every_look() -> None:
    for some in (SCREENS, [screen for screen in SCREENS if is_for_thumbs(screen)]):
        looks = [first_look(screen) for screen in some]
        assert all(looks.count(look) > len(some) / 8 for look in set(looks))
    assert {first_look(screen) for screen in SCREENS} == set(LOOKS)


@pytest.mark.parametrize(("screen", "look"), list(screens_and_looks()))
def test_a_screen_is_in_order(
    screen: Screen, look: Look, looker: Looker, request: pytest.FixtureRequest
) -> None:
    is_quick = request.config.getoption("--tier") == "quick"
    found = []
    page = looker.page(screen, look)
    for state in states_of(looker.world, screen):
        if is_quick and not is_quickly_seen(screen, state):
            continue
        visited = visit(page, looker.world, screen, state)
        complaints = complaints_of(visited, screen, look, state, looker.world)
        if is_read_by_axe(look, state, is_quick=is_quick):
            complaints += violations(page, look.theme, is_short=is_quick)
        if look.size == "phone":
            complaints += sideways_when_strained(page)
        visited.end()
        found += [f"{state}: {each}" for each in complaints]
    assert not found, "\n" + "\n".join(found)


def complaints_of(
    visited: Visit, screen: Screen, look: Look, state: str, world: World
) -> list[str]:
    is_for_fingers = look.size == "phone" and is_for_thumbs(screen)
    seen = findings(
        visited.page,
        look.size,
        most_elements=screen.budget.elements,
        is_for_fingers=is_for_fingers,
    )
    found = [*seen.complaints, *(f"a key: {each}" for each in KEY.findall(seen.words))]
    if seen.language != look.language:
        found.append("another language")
    if state != "error":
        if seen.title.count(" - ") < 1:
            found.append(f"“{seen.title}” does not say thing - area - workspace")
        return found + too_heavy(visited, screen, world)
    return found + _untold(seen, screen)


def _untold(seen: Findings, screen: Screen) -> list[str]:
    """Return how a page that refuses a form fails to say so."""
    found: list[str] = []
    if isinstance(screen.error, str) or screen.is_told_at_once:
        return found
    if not seen.title.startswith(("Error", "エラー")):
        found.append("the title does not tell the error")
    if not seen.is_at_errors:
        found.append("the focus is not on the summary of errors")
    return found


@pytest.mark.thorough("opens every screen once more; that titles say where one is, each look tells")
def test_no_two_screens_share_a_title(looker: Looker) -> None:
    titles: dict[str, str] = {}
    for screen in SCREENS:
        page = looker.page(screen, LOOKS[3])
        visit(page, looker.world, screen, "normal").end()
        title = page.title()
        assert titles.setdefault(title, screen.endpoint) == screen.endpoint, title
