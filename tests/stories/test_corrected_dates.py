"""Dates that are corrected more than once leave the same bills as if they had never been wrong."""

from datetime import date

import pytest

from pms.arrivals.bookings import book
from pms.arrivals.dates import correct_dates
from pms.departures.notices import file_notice, withdraw_notice
from pms.foundation.database import Database
from pms.ledger.billing import bill_month
from tests.stories.house import House, morning, open_house
from tests.stories.invariants import hold
from tests.stories.tenancy import booking

pytestmark = pytest.mark.differs("sums and dates in SQL")

BY_THE_15TH, AFTER_THE_15TH = date(2025, 6, 10), date(2025, 6, 20)
MOVES = [
    (AFTER_THE_15TH, BY_THE_15TH),
    (BY_THE_15TH, AFTER_THE_15TH),
    (AFTER_THE_15TH, BY_THE_15TH, AFTER_THE_15TH),
    (BY_THE_15TH, AFTER_THE_15TH, BY_THE_15TH),
    (AFTER_THE_15TH, date(2025, 6, 25), BY_THE_15TH, AFTER_THE_15TH, BY_THE_15TH),
]

_BILLED = """
    SELECT l.item, l.first_on, l.last_on, sum(l.amount_yen) FROM ledger_line l
    JOIN ledger_entry e ON e.workspace_id = l.workspace_id AND e.id = l.entry_id
    WHERE l.workspace_id = :workspace AND e.reservation_id = :who
    GROUP BY l.item, l.first_on, l.last_on HAVING sum(l.amount_yen) <> 0
    ORDER BY l.first_on, l.item"""


def begun(house: House, room: str, start_on: date) -> str:
    house.go_to(morning(date(2025, 5, 25)))
    facts = {**booking(house, room), "move_in_date": start_on}
    return house.do(book, **{**facts, "contract_end_date": date(2026, 5, 31)}).reservation_id


def come_and_gone(house: House, id_: str) -> list[tuple[object, ...]]:
    """What was billed to somebody who is billed for July, and then leaves within it."""
    house.go_to(morning(date(2025, 6, 27)))
    house.do(bill_month, reservation_ids=[id_])
    house.do(file_notice, reservation_id=id_, move_out_on=date(2025, 7, 28))
    hold(house)
    return house.books.ask(_BILLED, who=id_)


@pytest.mark.parametrize("starts", MOVES, ids=lambda starts: "-".join(f"{s:%d}" for s in starts))
def test_a_start_that_moved_bills_as_if_it_had_always_been_there(
    database: Database, starts: tuple[date, ...]
) -> None:
    house = open_house(database)
    moved, still = begun(house, "101", starts[0]), begun(house, "102", starts[-1])
    for start_on in starts[1:]:
        house.do(correct_dates, reservation_id=moved, override_move_in_date=start_on)
        hold(house)
    assert come_and_gone(house, moved) == come_and_gone(house, still)


@pytest.mark.parametrize("starts", MOVES[:2], ids=["earlier", "later"])
def test_a_start_that_moved_while_a_notice_was_filed_does_too(
    database: Database, starts: tuple[date, ...]
) -> None:
    house = open_house(database)
    moved, still = begun(house, "101", starts[0]), begun(house, "102", starts[-1])
    house.go_to(morning(date(2025, 6, 21)))
    house.do(file_notice, reservation_id=moved, move_out_on=date(2025, 6, 28))
    house.do(correct_dates, reservation_id=moved, override_move_in_date=starts[-1])
    house.do(withdraw_notice, reservation_id=moved)
    hold(house)
    billed = [come_and_gone(house, id_) for id_ in (moved, still)]
    assert [line for line in billed[0] if line[0] != "penalty"] == [
        line for line in billed[1] if line[0] != "penalty"
    ]
