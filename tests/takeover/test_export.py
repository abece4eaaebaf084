"""What leaves a workspace as a sheet comes back into an empty one with the same next bill."""

import json
from datetime import date
from typing import Any

import pytest

from pms.arrivals.bookings import book
from pms.arrivals.takeover.exported_contracts import HEADS
from pms.arrivals.takeover.own_terms import UnreadableTermsError, read_terms
from pms.arrivals.takeover.reading import read_takeover
from pms.arrivals.taking_over import take_over
from pms.deposits.deposit_report import deposit_report
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts
from pms.reservations.models import Reservation
from pms.rules.enumerations import ReservationKind
from pms.rules.taking_over import OpeningDebt
from tests.cast import Cast
from tests.takeover.round_trip import exported, next_bills, taken_back

THROUGH = date(2027, 1, 31)


@pytest.fixture
def billed(database: Database, clock: FixedClock, cast: Cast) -> str:
    """Sumida with a resident taken over, and one who is booked with a discount."""
    with database.writing(cast.sumida.workspace_id) as session:
        take_over(
            Work(session, clock, "staff"),
            reservation_id=cast.sumida.resident_id,
            billed_through_on=date(2026, 11, 30),
            deposit_held_yen=80_000,
            unpaid=[OpeningDebt("rent 2026-10", 12_000, date(2026, 9, 30))],
            overpaid_yen=500,
        )
        book(
            Work(session, clock, "staff"),
            unit_id=cast.sumida.free_room_id,
            kind=ReservationKind.RESIDENT,
            name="高橋 翔",
            move_in_date=date(2026, 12, 16),
            contract_end_date=date(2027, 12, 15),
            amounts=MonthlyAmounts(base_rent_yen=93_000, utilities_yen=7_000),
            deposit_yen=93_000,
            discount=AgreedDiscount(Bilingual("割引", "Discount"), monthly_yen=3_000),
        )
    return cast.sumida.workspace_id


def test_the_cast_comes_back_with_the_same_bills_and_balances(
    database: Database, clock: FixedClock, billed: str
) -> None:
    data = exported(database, billed, clock.today())
    back_id, run = taken_back(database, clock, data)
    assert not run.refused
    before = next_bills(database, billed, clock.today(), date(2027, 2, 28))
    assert before == next_bills(database, back_id, clock.today(), date(2027, 2, 28))
    assert len(before) == 2
    assert run.overpaid_yen == 500
    for workspace_id in (billed, back_id):
        with database.reading(workspace_id) as session:
            assert deposit_report(session, clock.today()).total.held_yen == 80_000


def test_a_guest_who_stays_longer_than_is_allowed_is_refused_with_the_reason(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    workspace_id, guest_id = cast.sumida.workspace_id, cast.sumida.guest_id
    with database.writing(workspace_id) as session:
        row = session.get_one(Reservation, (workspace_id, guest_id))
        row.move_in_date, row.contract_end_date = date(2026, 11, 18), date(2027, 5, 18)
        name = row.name
    _, run = taken_back(database, clock, exported(database, workspace_id, clock.today()))
    (why,) = [refused.why for refused in run.refused if refused.name == name]
    assert "2027-05-18 is 181 nights after 2026-11-18; a guest can stay at most 180" in why


def test_reading_it_again_changes_nothing(
    database: Database, clock: FixedClock, billed: str
) -> None:
    data = exported(database, billed, clock.today())
    back_id, first = taken_back(database, clock, data)
    again = exported(database, back_id, clock.today())
    _, second = taken_back(database, clock, again, slug="emptier")
    assert (first.tenancies, first.deposit_held_yen, first.unpaid_yen) == (
        second.tenancies,
        second.deposit_held_yen,
        second.unpaid_yen,
    )


def test_a_cell_that_somebody_changed_blocks_its_row_alone(
    database: Database, clock: FixedClock, billed: str
) -> None:
    text = exported(database, billed, clock.today()).decode("utf-8-sig")
    assert text.startswith(HEADS[0])
    read = read_takeover(
        text.replace('""version"":1', '""version"":7', 1).encode(), "x.csv", clock.today()
    )
    assert [one.code for one in read.about_rows if one.blocks] == ["own_terms"]
    assert len(read.tenancies) == text.count(chr(34) * 2 + "version") - 1


GOOD: dict[str, Any] = {"version": 1, "kind": "resident", "name": "佐藤", "move_in": "2026-04-01"}
PRICE = {"first_on": "2026-04-01", "last_on": None, "amounts": {"base_rent": 1}}


@pytest.mark.parametrize(
    "spoilt",
    [
        "",
        "{",
        "[]",
        json.dumps(GOOD | {"version": 2}),
        json.dumps(GOOD | {"name": " "}),
        json.dumps(GOOD | {"deposit_yen": -1}),
        json.dumps(GOOD | {"deposit_yen": "many"}),
        json.dumps(GOOD | {"kind": "pet"}),
        json.dumps(GOOD | {"prices": [PRICE, PRICE]}),
        json.dumps(GOOD | {"move_in": "2026-02-30"}),
        "[" * 5_000,
    ],
)
def test_a_cell_that_no_export_wrote_is_refused(spoilt: str) -> None:
    assert read_terms(json.dumps(GOOD)).name == "佐藤"
    with pytest.raises(UnreadableTermsError):
        read_terms(spoilt)
