"""Journey 8: a new reservation from the chart: four presses from Today, 35 characters, conflicts in place."""

import pytest
from playwright.sync_api import Locator, expect

from tests.cast import Cast
from tests.journeys.hands import KEYS, MOUSE, PLAIN, Hand, walked_by

MOST_PRESSES = 4
MOST_CHARACTERS = 35
NAME, EMAIL = "Aoki Haru", "haru.aoki@example.jp"


def row_of(hand: Hand, unit: str) -> Locator:
    """The line of a unit."""
    name = hand.page.locator(".chart-unit a", has_text=unit)
    return hand.page.locator(".chart-row", has=name).first


def begin(hand: Hand, unit: str, day: int) -> None:
    """A press on a day of the unit's line; by keys and without scripts on its "+"."""
    if not hand.is_mouse:
        hand.presses_on(row_of(hand, unit).locator(".chart-add"))
        return
    track = row_of(hand, unit).locator(".chart-track")
    box = track.bounding_box()
    assert box is not None
    day_wide = box["width"] / 28
    track.click(position={"x": day_wide * (day + 0.5), "y": box["height"] - 2})


@walked_by(MOUSE)
def test_a_free_day_becomes_a_reservation(office: Hand, cast: Cast) -> None:
    office.opens("/")
    office.presses_on(office.link("Calendar", within=".side-nav"))
    begin(office, "102", 12)
    booking = office.page.locator("#booking")
    expect(booking.locator("[name=moveInDate]")).to_have_value(
        "2026-11-29" if office.is_mouse else "2026-11-20"
    )
    expect(booking.locator("[name=unitId]")).to_have_value(cast.sumida.free_room_id)
    office.types(booking.locator("[name=name]"), NAME)
    office.types(booking.locator("[name=email]"), EMAIL)
    office.presses_on(booking.get_by_role("button", name="Create reservation"))
    expect(office.page.locator("h1")).to_contain_text(NAME)
    expect(office.page.locator("main")).to_contain_text("Kawasemi House 102")
    office.takes_at_most(MOST_PRESSES)
    assert len(NAME + EMAIL) <= MOST_CHARACTERS


@walked_by(PLAIN)
def test_who_holds_the_unit_is_told_beside_the_days(office: Hand, cast: Cast) -> None:
    office.opens("/chart")
    office.presses_on(row_of(office, "101").locator(".chart-add"))
    conflict = office.page.locator("#conflict")
    expect(conflict.get_by_role("link", name="佐藤 花子")).to_be_visible()
    booking = office.page.locator("#booking")
    office.types(booking.locator("[name=name]"), NAME)
    office.presses_on(booking.get_by_role("button", name="Create reservation"))
    # Refused where it was typed: the drawer stays a drawer, the page a page.
    expect(office.page.locator(".error-summary")).to_be_visible()
    expect(office.page.locator("#booking [name=name]")).to_have_value(NAME)
    expect(office.page.locator("#conflict").get_by_role("link", name="佐藤 花子")).to_be_visible()
    if not office.is_plain:
        expect(office.page.locator("dialog#drawer #booking")).to_be_visible()


@pytest.mark.thorough("a side path of the journey")
@walked_by(KEYS, (MOUSE, KEYS))
def test_closing_the_drawer_gives_the_focus_back(office: Hand) -> None:
    office.opens("/chart")
    bar = office.page.locator(".bar > a", has_text="佐藤 花子")
    office.presses_on(bar)
    expect(office.page.locator("dialog#drawer .stay-card")).to_be_visible()
    office.page.keyboard.press("Escape")
    expect(office.page.locator("dialog#drawer")).not_to_be_visible()
    expect(bar).to_be_focused()
