"""A notice of somebody taken over, filed on the page, names the days billed beyond it and credits them."""

import re
from datetime import date

import pytest

from pms.arrivals.taking_over import take_over
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.ledger.queries import standings
from pms.rules.notices import FiledNotice
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.dashboard.reservations.test_opening import TAKEN, address

DAYS = "Billed beyond the move-out before the take-over"
OFFER = 'name="givesBack"'
NOTICE = {"version": "2", "moveOutDate": "2026-12-20"}
FIRST = {"version": "1"}


@pytest.fixture
def taken_over(office: Browser, cast: Cast) -> None:
    """Billed through December elsewhere."""
    answer = office.post(address(cast), TAKEN | {"billedThrough": "2026-12-31"})
    assert answer.status_code == 303, answer.text


def _credits(database: Database, clock: FixedClock, cast: Cast) -> list[int]:
    id_ = cast.sumida.resident_id
    with database.reading(cast.sumida.workspace_id) as session:
        found = standings(session, [id_], clock.today())[id_]
    return [one.payable_yen for one in found if one.is_credit]


@pytest.mark.usefixtures("taken_over")
def test_the_preview_names_the_days_and_offers_to_credit_them(office: Browser, cast: Cast) -> None:
    shown = office.post(address(cast, "notice/preview") + "?lang=en", NOTICE).text
    assert DAYS in shown
    assert "33,000" in shown
    assert OFFER in shown
    later = NOTICE | {"moveOutDate": "2027-01-10"}
    shown = office.post(address(cast, "notice/preview") + "?lang=en", later).text
    assert DAYS not in shown
    assert OFFER not in shown


@pytest.mark.usefixtures("taken_over")
@pytest.mark.parametrize("gives_back", [True, False])
def test_what_is_ticked_is_credited_with_the_notice(
    office: Browser, database: Database, clock: FixedClock, cast: Cast, *, gives_back: bool
) -> None:
    ticked = {"givesBack": "y"} if gives_back else {}
    answer = office.post(address(cast, "notice"), NOTICE | ticked)
    assert answer.status_code == 303, answer.text
    assert len(_credits(database, clock, cast)) == gives_back


@pytest.mark.usefixtures("taken_over")
def test_an_edit_names_the_days_and_leaves_the_credit_to_staff(office: Browser, cast: Cast) -> None:
    assert office.post(address(cast, "notice"), NOTICE).status_code == 303
    earlier = FIRST | {"moveOutDate": "2026-12-10"}
    shown = office.post(address(cast, "notice/preview") + "?lang=en", earlier).text
    assert "not refunded automatically" in shown
    assert OFFER not in shown


def test_staff_see_what_is_charged_here_and_the_refund_that_follows(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        take_over(
            Work(session, clock, "staff"),
            reservation_id=cast.sumida.resident_id,
            billed_through_on=date(2026, 11, 30),
            deposit_held_yen=93_000,
            notice=FiledNotice(date(2026, 11, 10), date(2027, 3, 1)),
        )
    typed = {"version": "1", "moveOutDate": "2027-02-28"}
    shown = office.post(address(cast, "notice/preview") + "?lang=en", typed).text
    assert "¥3,000 of it is charged here." in shown
    assert re.search(r"Expected refund</dt>\s*<dd[^>]*>¥90,000<", shown)
    assert office.post(address(cast, "move-out"), typed).status_code == 303
    assert "¥3,000 of it is charged here." in office.get(address(cast, "departure?lang=en")).text
    asked = office.get(address(cast, "withdrawal?lang=en")).text
    assert "The penalty of ¥3,000 is reversed." in asked
