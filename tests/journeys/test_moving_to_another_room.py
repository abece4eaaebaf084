"""Journey 9: who lives there moves to another room: three presses by dragging, else five."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from pms.foundation.clock import FixedClock
from tests.journeys.conftest import Desk
from tests.journeys.hands import MOUSE, Hand, walked_by
from tests.journeys.test_booking_from_the_chart import row_of
from tests.staff import open_browser
from tests.surfaces.manual.browser import BrowserOfTests

MOST_BY_DRAGGING, MOST_BY_PRESSES = 3, 5


def drag(hand: Hand, bar: Locator, onto: Locator) -> None:
    """Take a bar by its name and let it go on another unit's line."""
    start, end = bar.bounding_box(), onto.bounding_box()
    assert start is not None
    assert end is not None
    mouse = hand.page.mouse
    mouse.move(start["x"] + 200, start["y"] + start["height"] / 2)
    mouse.down()
    mouse.move(start["x"] + 210, end["y"] + end["height"] / 2, steps=5)
    expect(hand.page.locator(".is-target")).to_have_count(1)
    mouse.up()


def confirm(hand: Hand) -> None:
    """The deposit's transfer is shown first; then the tenancy goes on in the other room."""
    preview = hand.page.locator("#preview")
    expect(preview).to_contain_text("Deposit, transferred in the books")
    expect(preview).to_contain_text("−¥93,000")
    hand.presses_on(hand.button("Confirm change"))
    expect(hand.page.locator("h1")).to_contain_text("佐藤 花子")
    expect(hand.page.locator(".page-lead")).to_contain_text("Kawasemi House 102")


@walked_by(MOUSE)
def test_a_resident_moves_by_dragging_or_by_five_presses(office: Hand) -> None:
    office.opens("/")
    office.presses_on(office.link("Calendar", within=".side-nav"))
    bar = office.page.locator(".bar > a", has_text="佐藤 花子")
    if office.is_mouse:
        drag(office, bar, row_of(office, "102").locator(".chart-track"))
        confirm(office)
        office.takes_at_most(MOST_BY_DRAGGING)
        return
    office.presses_on(bar)
    if office.is_plain:
        office.presses_on(office.link("Change room or occupant"))
    else:
        office.presses_on(office.page.locator("dialog#drawer").get_by_role("link", name="Move…"))
    office.presses_on(office.link("Move to Kawasemi House 102"))
    confirm(office)


@pytest.mark.thorough("a side path of the journey")
@walked_by(MOUSE, (MOUSE,))
def test_a_drag_that_is_given_up_changes_nothing(office: Hand) -> None:
    office.opens("/chart")
    bar = office.page.locator(".bar > a", has_text="佐藤 花子")
    start = bar.bounding_box()
    assert start is not None
    office.page.mouse.move(start["x"] + 200, start["y"] + 10)
    office.page.mouse.down()
    office.page.mouse.move(start["x"] + 200, start["y"] + 60, steps=3)
    office.page.keyboard.press("Escape")
    office.page.mouse.up()
    expect(bar).to_have_text("佐藤 花子")
    assert office.page.url.endswith("/chart")


@pytest.fixture
def finger(browser_of_tests: BrowserOfTests, desk: Desk, clock: FixedClock) -> Iterator[Hand]:
    """The office worker's finger on a phone."""
    context = browser_of_tests.opened().new_context(
        base_url=desk.base,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    )
    cookie = open_browser(desk.app, clock, desk.staff.office_id, desk.slug).client.get_cookie(
        "session"
    )
    assert cookie is not None
    context.add_cookies(
        [
            {"name": "lang", "value": "en", "url": desk.base},
            {"name": "session", "value": str(cookie.value), "url": desk.base},
        ]
    )
    context.set_default_timeout(15_000)
    yield Hand(context.new_page(), "finger", f"/dashboard/{desk.slug}")
    browser_of_tests.end_context(context)


@pytest.mark.thorough("the same journey by a finger")
def test_by_touch_it_takes_five_taps(finger: Hand) -> None:
    finger.opens("/")
    taps = (
        finger.link("Calendar", within="nav:visible"),
        finger.page.locator(".bar > a", has_text="佐藤 花子"),
        finger.page.locator("dialog#drawer").get_by_role("link", name="Move…"),
        finger.link("Move to Kawasemi House 102"),
        finger.button("Confirm change"),
    )
    for target in taps:
        target.tap()
    expect(finger.page.locator(".page-lead")).to_contain_text("Kawasemi House 102")
    assert len(taps) <= MOST_BY_PRESSES
