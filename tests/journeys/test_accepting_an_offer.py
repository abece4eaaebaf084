"""An applicant goes from the link to the booked room: twelve taps on a telephone, no account."""

from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Locator, expect
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.reservations.models import Reservation
from pms.rules.enumerations import EsignStatus
from tests.cast import Cast
from tests.journeys.hands import KEYS, ON_A_PHONE, PLAIN, TOUCH, Hand, hand_of, walked_by
from tests.surfaces.manual.browser import BrowserOfTests, served
from tests.surfaces.reservation_links.conftest import made_phone
from tests.talks import hold_talks

# Four of them are the prior explanation, which the law asks of a fixed-term lease.
MOST_TAPS, MOST_CHARACTERS = 12, 25
_PHONE = {"width": 390, "height": 844}


@pytest.fixture
def applicant(
    browser_of_tests: BrowserOfTests, app: Flask, clock: FixedClock, cast: Cast, way: str
) -> Iterator[Hand]:
    """Somebody whose name and address the office knows, at the page their link opened."""
    known = {"name": "Emma Wilson", "email": "emma@example.com"}
    phone = made_phone(app.test_client(), clock, cast.sumida, **known)
    with served(app) as base:
        context = browser_of_tests.opened().new_context(
            base_url=base,
            viewport=_PHONE,  # type: ignore[arg-type]  # a plain mapping is what it takes
            has_touch=True,
            java_script_enabled=way != PLAIN,
        )
        context.set_default_timeout(15_000)
        yield hand_of(context, way, phone.home)
        browser_of_tests.end_context(context)


def taps(hand: Hand, target: Locator) -> None:
    """Tap, or reach it by Tab and press Enter."""
    if hand.way == TOUCH:
        target.tap()
    else:
        hand.presses_on(target)


def types(hand: Hand, name: str, text: str) -> int:
    """Type into a field, which is tapped before; return how many characters it took."""
    field = hand.page.locator(f"[name={name}]")
    if hand.way == TOUCH:
        field.tap()
        hand.page.keyboard.type(text)
    else:
        hand.types(field, text)
    return len(text)


def ticks(hand: Hand) -> None:
    """Tick what is agreed to."""
    tick = hand.page.locator("[name=agreed]")
    if hand.way == KEYS:
        hand.reaches(tick)
        hand.page.keyboard.press("Space")
    else:
        taps(hand, tick)


@pytest.mark.parametrize("way", [TOUCH])
def test_the_page_of_the_explanation_leads_on_once_staff_recorded_it(
    applicant: Hand, database: Database, cast: Cast, clock: FixedClock
) -> None:
    hand, main = applicant, applicant.page.locator("main")
    hand.opens("?lang=en")
    taps(hand, hand.link("Continue to your details"))
    types(hand, "phone", "09012345678")
    taps(hand, hand.button("Continue to the explanation"))
    for act in ("Agree and show", "Confirm and continue to the contract"):
        ticks(hand)
        taps(hand, hand.button(act))
    expect(main).to_contain_text("We go through it with you")
    # A wish that is being chosen is not lost while the page asks again.
    hand.page.locator("input[name=way][value=video]").check()
    with hand.page.expect_response(lambda answer: answer.url.endswith("/explanation")):
        pass
    expect(hand.page.locator("input[name=way][value=video]")).to_be_checked()
    with database.writing(cast.sumida.workspace_id) as session:
        hold_talks(session, clock)
    expect(hand.link("Continue to the contract")).to_be_visible(timeout=5_000)
    expect(main).not_to_contain_text("We go through it with you")
    taps(hand, hand.link("Continue to the contract"))
    expect(main).to_contain_text("¥258,935")


@walked_by(TOUCH, ON_A_PHONE)
def test_from_the_link_to_the_booking(
    applicant: Hand, database: Database, cast: Cast, clock: FixedClock
) -> None:
    hand, main = applicant, applicant.page.locator("main")
    hand.opens("?lang=en")
    expect(main).to_contain_text("¥258,935")
    taps(hand, hand.link("Continue to your details"))
    characters = types(hand, "phone", "09012345678")
    taps(hand, hand.button("Continue to the explanation"))
    ticks(hand)
    taps(hand, hand.button("Agree and show"))
    expect(main).to_contain_text("ends when its term expires")
    with database.writing(cast.sumida.workspace_id) as session:
        hold_talks(session, clock)
    ticks(hand)
    taps(hand, hand.button("Confirm and continue to the contract"))
    expect(main).to_contain_text("¥258,935")
    characters += types(hand, "signature", "Emma Wilson")
    ticks(hand)
    taps(hand, hand.button("Sign and book"))
    expect(main).to_contain_text("Contract signed", timeout=15_000)
    expect(main).to_contain_text("¥258,935")
    with database.reading(cast.sumida.workspace_id) as session:
        asked = select(Reservation).where(Reservation.unit_id == cast.sumida.free_room_id)
        row = session.scalars(asked).one()
    assert (row.name, row.phone, row.esign_status) == (
        "Emma Wilson",
        "09012345678",
        EsignStatus.SIGNED,
    )
    assert characters <= MOST_CHARACTERS
    if hand.way == TOUCH:
        assert 0 < hand.presses <= MOST_TAPS, f"{hand.presses} taps"
