"""Names of people are whole on a small desktop, however much their line says."""

import pytest
from playwright.sync_api import Page

from tests.screens.test_behaviour import address, screen
from tests.screens.visiting import Look, Looker

CUT = """(found) => found
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.trim())"""
EN, JA = Look("en", "desktop", "light"), Look("ja", "desktop", "light")


def shown(looker: Looker, name: str, look: Look, query: str = "") -> Page:
    page = looker.page(screen(name), look)
    page.goto(f"{address(looker, name)}{query}")
    return page


@pytest.mark.parametrize("look", [EN, JA], ids=str)
def test_the_list_of_residents_cuts_no_name(looker: Looker, look: Look) -> None:
    names = shown(looker, "reservations", look).locator("main tbody th")
    assert names.count() > 20
    assert names.evaluate_all(CUT) == []


@pytest.mark.parametrize("look", [EN, JA], ids=str)
def test_a_line_of_today_with_several_tags_cuts_no_name(looker: Looker, look: Look) -> None:
    page = shown(looker, "today", look, "?all=y")
    lines = page.locator(".due-line", has=page.locator(".tag + .tag"))
    assert lines.count() > 0
    assert lines.locator(".due-who a").evaluate_all(CUT) == []
