"""The longest pages stay short on a phone: 390 px wide, over the lived-in workspace of the demo."""

import re
from pathlib import Path
from typing import Final

import pytest

from pms.rules.enumerations import StaffRole
from pms.surfaces.dashboard import bank
from tests.screens.screens import SCREENS, Screen
from tests.screens.test_behaviour import DESKTOP, PHONE, address, screen
from tests.screens.visiting import Look, Looker
from tests.screens.world import LIVED_IN, World
from tests.staff import open_browser

_PAPER: Final = Path("docs/journeys.md")
_ROW: Final = re.compile(r"^\| [^|]+ \| `([\w.]+)` \| [0-9,–]+ \| ([0-9,]+) \|", re.MULTILINE)
_MOST: Final = {name: int(most.replace(",", "")) for name, most in _ROW.findall(_PAPER.read_text())}
_HEIGHT: Final = "document.documentElement.scrollHeight"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_long_pages_stay_short_on_a_phone(looker: Looker, language: str) -> None:
    look = Look("ja" if language == "ja" else "en", "phone", "light")
    assert len(_MOST) >= 10
    too_high = {}
    for name, most in _MOST.items():
        shown = _of_desk_or_not(name)
        page = looker.page(shown, look)
        page.goto(looker.world.addresses[f"{shown.name} normal"])
        height = page.evaluate(_HEIGHT)
        if height > most:
            too_high[name] = height
    assert not too_high


def _of_desk_or_not(name: str) -> Screen:
    if "." not in name:
        return screen(name)
    return next(each for each in SCREENS if each.endpoint == name)


def test_a_tick_shows_the_other_rows_of_a_list(looker: Looker) -> None:
    page = looker.page(screen("check_reminders"), PHONE)
    page.goto(address(looker, "check_reminders"))
    rows = page.locator(".list tbody tr")
    assert rows.locator("visible=true").count() == 16  # fifteen, and their total
    page.get_by_label("Show all rows").check()
    assert rows.locator("visible=true").count() == rows.count() > 16


def test_a_tick_shows_the_other_units_of_an_owner(looker: Looker) -> None:
    shown = _of_desk_or_not("owner.building")
    page = looker.page(shown, PHONE)
    page.goto(looker.world.addresses[f"{shown.name} normal"])
    units = page.locator(".owner-units > div")
    assert units.locator("visible=true").count() == 15
    page.get_by_label("Show all rows").check()
    assert units.locator("visible=true").count() == units.count() > 15


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", ["reservations", "billing", "mandate_list", "arrears", "bills"])
def test_a_list_has_room_on_a_large_screen(looker: Looker, name: str, language: str) -> None:
    look = Look("ja" if language == "ja" else "en", "desktop", "light")
    page = looker.page(screen(name), look)
    page.goto(address(looker, name))
    frame = page.locator(".table-frame").first
    assert frame.evaluate("frame => frame.scrollWidth - frame.clientWidth") <= 0


@pytest.mark.parametrize("name", ["reservations", "today"])
def test_each_entry_of_the_menu_is_one_line(looker: Looker, name: str) -> None:
    page = looker.page(screen(name), DESKTOP)
    page.goto(address(looker, name))
    heights = page.locator(".side-nav > ul > li > a").evaluate_all(
        "links => links.map(link => link.offsetHeight)"
    )
    assert len(heights) == 9
    assert len(set(heights)) == 1


def test_likely_transfers_are_shown_a_page_at_a_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bank, "_ROWS_A_PART", 1)
    office = open_browser(world.app, world.clock, world.people[StaffRole.OFFICE], LIVED_IN)
    shown = office.get("/bank").text
    assert "likely=2" in shown
    assert shown.count('class="offers"') == 1
