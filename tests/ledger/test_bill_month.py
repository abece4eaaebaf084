"""A billing run writes every missing row once, and what cannot be billed stops nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
from sqlalchemy import event

from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.ledger.billing import (
    Unbillable,
    bill_month,
    preview_month,
    reservations_to_bill,
    reservations_with_entries,
)
from pms.ledger.move_in_invoices import issue_move_in_invoice
from pms.ledger.posting import void_entry
from pms.ledger.queries import issued_rows
from pms.ledger.repricing import reprice_rows
from pms.reservations.models import Reservation
from pms.rules.days import CorruptDay
from pms.rules.enumerations import Lifecycle, ReservationKind
from tests.ledger.conftest import ACTOR, Books

pytestmark = pytest.mark.differs("bulk writing")

BOOKED = date(2026, 5, 20)
MOVED_IN = date(2026, 6, 1)
ENDS = date(2027, 5, 31)


def test_rent_is_issued_on_the_25th_and_due_on_the_eve_of_its_month(books: Books) -> None:
    id_ = books.booked(BOOKED, MOVED_IN, ENDS)
    assert books.bill(date(2026, 6, 24)).entries == 0
    assert books.bill(date(2026, 6, 25)).entries == 1
    july = books.entry(id_, "rent")
    assert (july.period, july.issued_on, july.due_on) == (
        "2026-07-01",
        date(2026, 6, 25),
        date(2026, 6, 30),
    )
    assert [(line.item, line.label.ja, line.label.en, line.amount_yen) for line in july.lines] == [
        ("base_rent", "賃料", "Rent", 68_000),
        ("utilities", "水道光熱費", "Utilities", 12_000),
        ("building_maintenance", "共益費", "Building maintenance", 3_000),
    ]


def test_a_second_run_writes_nothing(books: Books) -> None:
    id_ = books.booked(BOOKED, MOVED_IN, ENDS)
    first = books.bill(date(2026, 6, 25))
    entries = books.entries(id_)
    again = books.bill(date(2026, 6, 25))
    assert (first.entries, first.total_yen) == (1, 83_000)
    assert (again.entries, again.reservations, again.total_yen) == (0, 0, 0)
    assert books.entries(id_) == entries


def test_a_second_run_finds_nobody_to_ask_about(books: Books) -> None:
    books.booked(BOOKED, MOVED_IN, ENDS)
    books.bill(date(2026, 6, 25))
    with books.reading() as session:
        assert reservations_to_bill(session, date(2026, 7, 31)) == ()
        assert len(reservations_to_bill(session, date(2026, 8, 31))) == 1


def test_missed_months_are_caught_up_each_as_an_entry_of_its_own(books: Books) -> None:
    id_ = books.booked(BOOKED, MOVED_IN, ENDS)
    billed = books.bill(date(2026, 9, 3))
    assert (billed.entries, billed.reservations) == (3, 1)
    assert [(entry.period, entry.due_on) for entry in books.entries(id_)[1:]] == [
        ("2026-07-01", date(2026, 9, 3)),
        ("2026-08-01", date(2026, 9, 3)),
        ("2026-09-01", date(2026, 9, 3)),
    ]


def test_a_part_of_the_workspace_and_then_the_rest_make_the_whole(books: Books) -> None:
    first, second = (books.booked(BOOKED, MOVED_IN, ENDS) for _ in range(2))
    part = books.bill(date(2026, 6, 25), reservation_ids=[second])
    rest = books.bill(date(2026, 6, 25))
    assert (part.entries, rest.entries) == (1, 1)
    assert len(books.entries(first)) == len(books.entries(second)) == 2


def test_a_run_that_dies_in_the_middle_leaves_nothing_and_the_next_bills_all(books: Books) -> None:
    id_ = books.booked(BOOKED, MOVED_IN, ENDS)
    books.at(date(2026, 6, 25))
    with pytest.raises(KeyboardInterrupt), books.writing() as session:
        bill_month(Work(session, books.clock, ACTOR))
        raise KeyboardInterrupt
    assert len(books.entries(id_)) == 1
    assert books.bill(date(2026, 6, 25)).entries == 1


def test_the_rest_of_a_month_after_the_contract_ended_is_a_stub(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), MOVED_IN, date(2026, 7, 15))
    books.do(bill_month, through_on=date(2026, 7, 31))
    assert books.entry(id_, "rent").total_yen == 40_161  # 15 of 31 days, each line by itself
    books.bill(date(2026, 6, 25))
    stub = books.entry(id_, "stub")
    assert (stub.period, stub.due_on) == ("2026-07-16", date(2026, 7, 15))
    assert stub.label.ja == "2026年7月16日〜31日分 賃料等"
    assert stub.total_yen + 40_161 == 83_000


def test_a_filed_move_out_ends_the_last_month(books: Books) -> None:
    id_ = books.booked(BOOKED, MOVED_IN, ENDS)
    with books.writing() as session:
        row = session.get_one(Reservation, (books.workspace_id, id_))
        row.move_out_date, row.lifecycle = date(2026, 7, 10), Lifecycle.NOTICE_FILED
    books.bill(date(2026, 6, 25))
    assert books.entry(id_, "rent").lines[0].last_on == date(2026, 7, 10)
    assert books.bill(date(2026, 9, 1)).entries == 0
    with books.reading() as session:
        assert reservations_to_bill(session, date(2026, 9, 30)) == ()


def test_what_cannot_be_billed_is_told_and_the_others_are_billed(books: Books) -> None:
    sound = books.booked(BOOKED, MOVED_IN, ENDS)
    damaged = books.booked(BOOKED, MOVED_IN, ENDS)
    priceless = books.resident(MOVED_IN, ENDS, amounts=None)
    uninvoiced = books.resident(MOVED_IN, ENDS)
    with books.writing() as session:
        row = session.get_one(Reservation, (books.workspace_id, damaged))
        row.contract_end_date = CorruptDay("2027-02-31")
    billed = books.bill(date(2026, 6, 25))
    assert {problem.reservation_id: problem.reason for problem in billed.problems} == {
        damaged: Unbillable.DAMAGED_DATES,
        priceless: Unbillable.NO_PRICE,
        uninvoiced: Unbillable.NOT_TAKEN_OVER,
    }
    told_of = next(p.message for p in billed.problems if p.reservation_id == damaged)
    assert "2027-02-31" in told_of
    assert damaged in told_of
    assert len(books.entries(sound)) == 2


@pytest.mark.parametrize("kind", [ReservationKind.OWNER_RESIDENT, ReservationKind.GUEST])
def test_owner_residents_and_guests_get_no_rows_of_themselves(
    books: Books, kind: ReservationKind
) -> None:
    id_ = books.resident(MOVED_IN, ENDS, kind=kind)
    assert books.do(issue_move_in_invoice, reservation_id=id_) is None
    billed = books.bill(date(2026, 8, 25))
    assert (billed.entries, billed.problems) == (0, ())


@pytest.mark.parametrize("stage", [Lifecycle.SETTLED, Lifecycle.REFUNDED, Lifecycle.CANCELLED])
def test_what_is_closed_is_billed_no_more(books: Books, stage: Lifecycle) -> None:
    id_ = books.booked(BOOKED, MOVED_IN, ENDS)
    with books.writing() as session:
        session.get_one(Reservation, (books.workspace_id, id_)).lifecycle = stage
    assert books.bill(date(2026, 8, 25)).entries == 0


def test_a_voided_month_is_billed_again_as_its_next_round(books: Books) -> None:
    id_ = books.booked(BOOKED, MOVED_IN, ENDS)
    books.bill(date(2026, 7, 25))
    books.at(date(2026, 7, 26))
    books.do(void_entry, books.entry(id_, "rent", "2026-07-01").id)
    assert books.bill(date(2026, 7, 26)).entries == 1
    assert books.bill(date(2026, 7, 26)).entries == 0
    rent = [entry for entry in books.entries(id_) if entry.kind == "rent"]
    assert [(entry.period, entry.round, entry.voided_on) for entry in rent] == [
        ("2026-07-01", 1, date(2026, 7, 26)),
        ("2026-08-01", 1, None),
        ("2026-07-01", 2, None),
    ]


def test_a_preview_tells_what_the_run_then_writes_and_writes_nothing(books: Books) -> None:
    id_ = books.booked(BOOKED, MOVED_IN, ENDS)
    books.at(date(2026, 8, 1))
    with books.reading() as session:
        plan = preview_month(session, books.clock)
    assert len(books.entries(id_)) == 1
    billed = books.bill(date(2026, 8, 1))
    assert (billed.entries, billed.total_yen) == (len(plan.entries), plan.total_yen) == (2, 166_000)


def test_a_booking_that_begins_after_the_month_is_left_alone(books: Books) -> None:
    books.booked(BOOKED, date(2026, 9, 1), ENDS)
    assert books.bill(date(2026, 6, 25)).entries == 0
    assert books.bill(date(2026, 9, 25)).entries == 1


def test_the_successor_of_a_room_ends_what_is_billed(books: Books) -> None:
    room = books.room()
    books.at(BOOKED)
    first = books.resident(MOVED_IN, date(2026, 7, 31), unit_id=room)
    books.do(issue_move_in_invoice, reservation_id=first)
    books.resident(date(2026, 8, 1), ENDS, unit_id=room, lifecycle=Lifecycle.BOOKED)
    books.bill(date(2026, 8, 25), reservation_ids=[first])
    with books.reading() as session:
        assert issued_rows(session, [first])[first][-1].last_on == date(2026, 7, 31)


def test_who_may_be_missing_rent_is_asked_by_the_last_day_and_after_a_correction(
    books: Books,
) -> None:
    books.at(BOOKED)
    starting = books.resident(date(2026, 7, 31), ENDS)
    billed = books.booked(BOOKED, MOVED_IN, ENDS)
    books.bill(date(2026, 7, 25), reservation_ids=[billed])

    def missing(through_on: date) -> tuple[str, ...]:
        with books.reading() as session:
            return reservations_to_bill(session, through_on)

    assert missing(date(2026, 7, 1)) == (starting,)
    assert missing(date(2026, 6, 30)) == ()
    with books.writing() as session:
        row = session.get_one(Reservation, (books.workspace_id, billed))
        row.move_out_date = date(2026, 7, 10)
    books.do(reprice_rows, billed)
    assert missing(date(2026, 6, 30)) == (billed,)


def test_who_has_an_entry_is_found_among_those_named(books: Books) -> None:
    books.at(BOOKED)
    without = books.resident(date(2026, 7, 31), ENDS)
    billed = books.booked(BOOKED, MOVED_IN, ENDS)
    with books.reading() as session:
        assert reservations_with_entries(session, [without, billed]) == {billed}
        assert not reservations_with_entries(session, [])


@contextmanager
def counted(database: Database) -> Iterator[list[str]]:
    lines: list[str] = []

    def count(_: Any, __: Any, statement: str, *___: Any) -> None:
        lines.append(statement)

    event.listen(database.engine, "before_cursor_execute", count)
    yield lines
    event.remove(database.engine, "before_cursor_execute", count)


def test_the_number_of_statements_does_not_grow_with_the_reservations(books: Books) -> None:
    few = [books.booked(BOOKED, MOVED_IN, ENDS) for _ in range(2)]
    many = [books.booked(BOOKED, MOVED_IN, ENDS) for _ in range(12)]
    with counted(books.database) as for_few:
        books.bill(date(2026, 6, 25), reservation_ids=few)
    with counted(books.database) as for_many:
        assert books.bill(date(2026, 6, 25), reservation_ids=many).entries == 12
    assert len(for_few) == len(for_many)
