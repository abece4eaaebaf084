"""Numbers of papers run without a gap, each given out once, however many issue at a time."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.numbering import take_number
from pms.foundation.work import Work
from pms.statements.invoices import issue_invoice
from pms.statements.models import Invoice
from pms.statements.receipts import issue_receipt
from tests.cast import Cast, House
from tests.statements.postings import pay, post_entry, rent

pytestmark = pytest.mark.differs("locks")

THREADS = 16


def entries(database: Database, house: House, many: int) -> list[str]:
    with database.writing(house.workspace_id) as session:
        return [post_entry(session, house.resident_id, [rent(93_000)]) for _ in range(many)]


def issue(database: Database, clock: FixedClock, house: House, entry_id: str) -> str:
    with database.writing(house.workspace_id) as session:
        return issue_invoice(Work(session, clock, "office"), entry_id).number


def numbers(many: int, year: int = 2026) -> list[str]:
    return [f"{year}-{number:06}" for number in range(1, many + 1)]


def test_sixteen_who_issue_at_once_get_every_number_once(
    database: Database, clock: FixedClock, house: House
) -> None:
    posted = entries(database, house, 3 * THREADS)
    with ThreadPoolExecutor(THREADS) as threads:
        issued = list(threads.map(lambda id_: issue(database, clock, house, id_), posted))
    assert sorted(issued) == numbers(3 * THREADS)


def test_sixteen_who_issue_the_same_invoice_get_the_same_one(
    database: Database, clock: FixedClock, house: House
) -> None:
    (entry_id,) = entries(database, house, 1)
    with ThreadPoolExecutor(THREADS) as threads:
        issued = set(threads.map(lambda _: issue(database, clock, house, entry_id), range(THREADS)))
    assert issued == set(numbers(1))
    with database.reading(house.workspace_id) as session:
        assert len(session.scalars(select(Invoice)).all()) == 1


def test_a_number_that_was_rolled_back_is_given_out_again(
    database: Database, clock: FixedClock, house: House
) -> None:
    with pytest.raises(ZeroDivisionError), database.writing(house.workspace_id) as session:
        take_number(session, "invoice", clock.today())
        raise ZeroDivisionError
    (entry_id,) = entries(database, house, 1)
    assert issue(database, clock, house, entry_id) == "2026-000001"


def test_every_year_counts_from_one_by_the_day_in_japan(
    database: Database, clock: FixedClock, house: House
) -> None:
    first, second, third = entries(database, house, 3)
    assert issue(database, clock, house, first) == "2026-000001"
    # Half past midnight on New Year's Day in Japan, still the old year elsewhere.
    new_year = FixedClock(datetime(2026, 12, 31, 15, 30, tzinfo=UTC))
    assert issue(database, new_year, house, second) == "2027-000001"
    new_year.advance(timedelta(days=1))
    assert issue(database, new_year, house, third) == "2027-000002"


def test_workspaces_and_kinds_of_paper_count_for_themselves(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    for house in (cast.sumida, cast.minato):
        (entry_id,) = entries(database, house, 1)
        assert issue(database, clock, house, entry_id) == "2026-000001"
        with database.writing(house.workspace_id) as session:
            payment = pay(session, house.resident_id, {entry_id: 93_000}, clock.today())
            assert issue_receipt(Work(session, clock, "office"), payment).number == "R2026-000001"
