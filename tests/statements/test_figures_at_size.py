"""Reports of money ask a fixed few questions of a full ledger, and never tell an old answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
from sqlalchemy import event

from pms.deposits.deposit_report import deposit_report
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.lists import Paging
from pms.statements.owner_months import OwnerBuildingMonth, owner_months
from tests.departures.desk import Desk, open_desk
from tests.ledger.full_ledger import fill
from tests.statements.postings import pay, post_entry, rent

JULY, TODAY = date(2026, 7, 1), date(2026, 11, 20)


@pytest.fixture
def desk(database: Database, clock: FixedClock) -> Desk:
    """A desk over an empty house."""
    return open_desk(database, clock)


def test_the_months_of_ten_buildings_take_as_many_questions_as_those_of_one(desk: Desk) -> None:
    with desk.database.writing(desk.workspace_id) as session:
        fill(session, 1, 2)
    with questions(desk) as few:
        months(desk)
    with desk.database.writing(desk.workspace_id) as session:
        fill(session, 8, 3)
    with questions(desk) as many:
        found = months(desk)
    assert len(few) == len(many) <= 16
    assert len(found) == 10
    # Two or three rooms a building, 105,000 of rent and costs each; a deposit is no income.
    assert sum(month.figures.income_yen for month in found) == 26 * 108_000


def test_a_second_look_asks_less_and_a_payment_in_between_is_told(desk: Desk) -> None:
    resident = desk.resident("2026-01-01", "2026-12-31")
    entry_id = written(desk, resident)
    assert income(desk) == 0
    assert unpaid(desk) == 93_000
    with questions(desk) as again:
        assert income(desk) == 0
        assert unpaid(desk) == 93_000
    assert not [asked for asked in again if "substr" in asked or "to_char" in asked]
    with desk.database.writing(desk.workspace_id) as session:
        pay(session, resident, {entry_id: 93_000}, JULY)
        assert owner_months(session, JULY, TODAY, Paging(1, 10))[0][0].figures.income_yen == 93_000
    assert income(desk) == 93_000
    assert unpaid(desk) == 0


def written(desk: Desk, resident: str) -> str:
    with desk.database.writing(desk.workspace_id) as session:
        on = {"issued_on": date(2026, 6, 25), "due_on": JULY}
        return post_entry(session, resident, [rent(93_000)], **on)


def months(desk: Desk) -> list[OwnerBuildingMonth]:
    return list(desk.ask(owner_months, JULY, TODAY, Paging(1, 10))[0])


def income(desk: Desk) -> int:
    return sum(month.figures.income_yen for month in months(desk))


def unpaid(desk: Desk) -> int:
    return desk.ask(deposit_report, TODAY).total.unpaid_yen


@contextmanager
def questions(desk: Desk) -> Iterator[list[str]]:
    asked: list[str] = []

    def note(*given: Any) -> None:
        if str(given[2]).lstrip().upper().startswith("SELECT") and "set_config" not in given[2]:
            asked.append(given[2])

    event.listen(desk.database.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(desk.database.engine, "before_cursor_execute", note)
