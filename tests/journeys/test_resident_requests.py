"""Journeys 5 and 6: a resident reports a leak with a photo, and gives notice knowing the cost."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from flask import Flask
from playwright.sync_api import Browser, Locator, expect
from sqlalchemy import select

from pms.departures.departures import notice_in_force
from pms.foundation.clock import FixedClock
from pms.rules.enumerations import UserKind
from pms.upkeep.models import MaintenanceRequest, UpkeepPhoto
from tests.journeys.hands import ON_A_PHONE, PLAIN, TOUCH, Hand, hand_of, walked_by
from tests.portals import open_portal_browser
from tests.surfaces.dashboard.money.conftest import Books
from tests.surfaces.manual.browser import served

PHOTO: Final = Path(__file__).parents[1] / "samples" / "uploads" / "room_rotated_gps.jpg"
WORDS: Final = "Water is coming out from under the sink."
MOST_TAPS, MOST_CHARACTERS = 7, 40
TAPS_OF_THE_PICKER: Final = 1
"""The photo itself is tapped in the telephone's own album."""
MOST_TAPS_TO_LEAVE: Final = 5
MOST_QUESTIONS: Final = 40
"""To the database, for what it costs to leave on a day."""
_PHONE = {"width": 390, "height": 844}


@dataclass
class Resident:
    """Somebody at home with a telephone."""

    hand: Hand

    def taps(self, target: Locator) -> None:
        """Tap, or reach it by Tab and press Enter."""
        if self.hand.way == TOUCH:
            target.tap()
        else:
            self.hand.presses_on(target)

    def picks(self, name: str, value: str) -> None:
        """Tap one of a few cards."""
        if self.hand.way == TOUCH:
            self.hand.page.locator(f"[name={name}][value={value}]").tap()
        else:
            self.hand.chooses(name, value)

    def types(self, name: str, text: str) -> None:
        """Type into a field, which is tapped before."""
        field = self.hand.page.locator(f"[name={name}]")
        if self.hand.way != TOUCH:
            self.hand.types(field, text)
            return
        field.tap()
        self.hand.page.keyboard.type(text)

    def photographs(self, path: Path) -> None:
        """Choose a photo."""
        field = self.hand.page.locator("[name=photo]")
        if self.hand.way != TOUCH:
            field.set_input_files(path)
            return
        with self.hand.page.expect_file_chooser() as chooser:
            field.tap()
        chooser.value.set_files(path)


@pytest.fixture
def resident(
    browser: Browser, app: Flask, clock: FixedClock, books: Books, way: str
) -> Iterator[Resident]:
    """Hanako Sato at her home's page."""
    house = books.house
    signed_in = open_portal_browser(
        app,
        clock,
        UserKind.RESIDENT,
        workspace_id=house.workspace_id,
        slug=house.slug,
        address=house.resident_email,
    )
    cookie = signed_in.client.get_cookie("session")
    assert cookie is not None
    with served(app) as base:
        context = browser.new_context(
            base_url=base,
            viewport=_PHONE,  # type: ignore[arg-type]  # a plain mapping is what it takes
            has_touch=True,
            java_script_enabled=way != PLAIN,
        )
        cookies = {"session": cookie.value, "lang": "en"}
        context.add_cookies([{"name": n, "value": v, "url": base} for n, v in cookies.items()])
        context.set_default_timeout(15_000)
        yield Resident(hand_of(context, way, f"/resident/{house.slug}/{house.resident_id}"))
        context.close()


@walked_by(TOUCH, ON_A_PHONE)
def test_a_leak_with_a_photo(resident: Resident, books: Books) -> None:
    hand = resident.hand
    hand.opens("")
    resident.taps(hand.link("Report a problem"))
    resident.picks("kind", "water")
    resident.types("what", WORDS)
    resident.photographs(PHOTO)
    resident.picks("mayEnter", "yes")
    resident.taps(hand.button("Send the report"))
    expect(hand.page.get_by_role("status")).to_contain_text("Your report has been sent")
    expect(hand.page.get_by_role("img", name="Your photo")).to_have_count(1)
    (report,) = books.ask(lambda session: session.scalars(select(MaintenanceRequest)).all())
    assert (report.what, report.may_enter) == (f"Water, drain: {WORDS}", True)
    assert len(books.ask(lambda session: session.scalars(select(UpkeepPhoto)).all())) == 1
    assert len(WORDS) <= MOST_CHARACTERS
    if hand.way == TOUCH:
        assert 0 < hand.presses + TAPS_OF_THE_PICKER <= MOST_TAPS, f"{hand.presses} taps"


@walked_by(PLAIN, ON_A_PHONE)
def test_notice_with_the_cost_known(resident: Resident, books: Books) -> None:
    hand = resident.hand
    hand.opens("")
    resident.taps(hand.link("Move out"))
    expect(hand.page.locator("main")).to_contain_text("Earliest day without a penalty")
    resident.taps(hand.button("See the cost"))
    expect(hand.page.locator("main")).to_contain_text("No penalty")
    assert books.ask(notice_in_force, books.resident_id) is None
    resident.taps(hand.button("File notice"))
    expect(hand.page.locator("main")).to_contain_text("We have received your notice.")
    notice = books.ask(notice_in_force, books.resident_id)
    assert (str(notice.move_out_on), notice.penalty_yen) == ("2027-03-31", 0)
    if hand.way == TOUCH:
        assert 0 < hand.presses <= MOST_TAPS_TO_LEAVE, f"{hand.presses} taps"


def test_the_cost_takes_few_questions(app: Flask, clock: FixedClock, books: Books) -> None:
    house = books.house
    signed_in = open_portal_browser(
        app,
        clock,
        UserKind.RESIDENT,
        workspace_id=house.workspace_id,
        slug=house.slug,
        address=house.resident_email,
    )
    with books.counted() as sent:
        path = f"/{books.resident_id}/move-out/preview?moveOutDate=2026-12-01"
        assert signed_in.get(path).status_code == 200
    assert len(sent) <= MOST_QUESTIONS
