"""Journals of a month are kept until something is written that they are made of."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Final

import pytest
from sqlalchemy import event, select

from pms.accounting import closings
from pms.accounting.months import month_books, shown_month, summarise
from pms.arrivals.bookings import book
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.foundation.work import Work
from pms.ledger.payment_plan import record_payment
from pms.reservations.models import Reservation
from tests.accounting.accountant import same_as_kept
from tests.stories.house import House, morning, open_house
from tests.stories.tenancy import booking

JANUARY, FEBRUARY = date(2025, 1, 1), date(2025, 2, 1)
_FOLLOWS: Final[Mapping[str, str]] = {
    "audit_record": "tells whose building it was, and is written with the building",
    "closed_journal": "is written with the closing of its month",
    "kept_figure": "is what was made of these, and is read only while it is of their counters",
}
"""What a month is made of and raises no counter itself, and why no page is wrong for it."""


@pytest.fixture
def house(database: Database) -> House:
    """A resident of an owner's house who paid; January is closed, and paid for once more since."""
    found = open_house(database)
    found.go_to(morning(date(2025, 1, 5)))
    facts = {**booking(found, "101"), "move_in_date": date(2025, 1, 10)}
    who = found.rooms["who"] = found.do(book, **facts).reservation_id
    found.do(record_payment, reservation_id=who, amount_yen=100_000)
    found.go_to(morning(date(2025, 2, 3)))
    found.do(closings.close_month, month_on=JANUARY)
    found.go_to(morning(date(2025, 2, 10)))
    on = date(2025, 1, 30)
    found.do(record_payment, reservation_id=who, amount_yen=5_000, received_on=on)
    return found


def _statements(house: House, month_on: date) -> list[str]:
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        seen.append(statement)

    event.listen(house.database.engine, "before_cursor_execute", note)
    try:
        with house.database.reading(house.workspace_id) as session:
            shown_month(session, month_on)
    finally:
        event.remove(house.database.engine, "before_cursor_execute", note)
    return seen


def test_all_that_journals_are_made_of_raises_a_counter_when_it_is_written(house: House) -> None:
    asked = _statements(house, FEBRUARY)
    read = {name for one in asked for name in re.findall(r"\b(?:FROM|JOIN) (\w+)", one)}
    raising = {
        str(getattr(mapper.local_table, "name", "")): getattr(mapper.class_, "raises_version", None)
        for mapper in Base.registry.mappers
    }
    assert {"ledger_entry", "refund", "owner_terms", "owner_deduction", "building_share"} <= read
    silent = {name for name in read if name in raising and not raising[name]}
    assert silent <= set(_FOLLOWS)


def test_an_unchanged_month_and_a_closed_one_are_read_as_they_were_kept(house: House) -> None:
    for month_on, most in ((FEBRUARY, 2), (JANUARY, 3)):
        assert len(_statements(house, month_on)) > most
        assert len(_statements(house, month_on)) <= most


def test_a_name_that_changed_is_in_the_journals_of_the_open_month_at_once(house: House) -> None:
    same_as_kept(house)
    with house.database.writing(house.workspace_id) as session:
        session.scalars(select(Reservation)).one().name = "田中 新"
    with house.database.reading(house.workspace_id) as session:
        rows = shown_month(session, FEBRUARY).summary.rows_from(0)
        assert rows
        assert all("田中 新" in row.memo for row in rows if not row.is_late)
    same_as_kept(house)


def test_what_is_written_but_not_committed_is_kept_for_nobody(house: House) -> None:
    same_as_kept(house)
    who = house.rooms["who"]
    with (
        pytest.raises(InterruptedError),
        house.database.writing(house.workspace_id) as session,
    ):
        work = Work(session, house.clock, "staff")
        record_payment(work, reservation_id=who, amount_yen=7_000)
        session.flush()
        inside = month_books(session, FEBRUARY)
        assert shown_month(session, FEBRUARY).summary == summarise(inside.journals)
        raise InterruptedError
    same_as_kept(house)
