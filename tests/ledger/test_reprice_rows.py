"""An edit of the dates appends lines to what was billed, and edits nothing."""

from datetime import date, timedelta

import pytest
from sqlalchemy import select

from pms.ledger.billing import bill_month
from pms.ledger.kept_fees import keep_paid_fee
from pms.ledger.models import RowExtent
from pms.ledger.queries import standings
from pms.ledger.repricing import preview_repricing, reprice_rows
from pms.ledger.statement import statement
from pms.reservations.models import Reservation
from pms.reservations.tenancies import tenancy_of
from pms.rules.ledger_entries import EntryBalance
from tests.ledger.conftest import Books


def changed(books: Books, id_: str, **days: object) -> None:
    with books.writing() as session:
        row = session.get_one(Reservation, (books.workspace_id, id_))
        for column, day in days.items():
            setattr(row, column, day)


def standing(books: Books, id_: str, entry_id: str) -> EntryBalance:
    with books.reading() as session:
        found = standings(session, [id_], books.clock.today())[id_]
    return next(entry for entry in found if entry.id == entry_id)


@pytest.fixture
def lived_in(books: Books) -> str:
    """Billed through August."""
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), date(2027, 5, 31))
    books.bill(date(2026, 7, 25))
    return id_


def test_a_move_out_prorates_its_month_and_takes_the_later_ones_to_nothing(
    books: Books, lived_in: str
) -> None:
    august = books.entry(lived_in, "rent", "2026-08-01")
    books.pay(date(2026, 7, 31), lived_in, 83_000, august)
    changed(books, lived_in, move_out_date=date(2026, 7, 10))

    rows = books.do(reprice_rows, lived_in)

    assert [(row.before.first_on, row.after.last_on, row.change_yen) for row in rows] == [
        (date(2026, 7, 1), date(2026, 7, 10), 26_774 - 83_000),
        (date(2026, 8, 1), None, -83_000),
    ]
    july = books.entry(lived_in, "rent", "2026-07-01")
    assert july.total_yen == 21_935 + 3_871 + 968
    assert [line.amount_yen for line in july.lines] == [
        *(68_000, 12_000, 3_000),
        *(-68_000, -3_000, -12_000),
        *(21_935, 3_871, 968),
    ]
    assert books.entry(lived_in, "rent", "2026-08-01").total_yen == 0
    assert standing(books, lived_in, august.id).overpaid_yen == 83_000


def test_the_statement_of_an_earlier_day_has_the_lines_of_that_day_alone(
    books: Books, lived_in: str
) -> None:
    today = books.clock.today()
    books.at(today + timedelta(days=1))
    changed(books, lived_in, move_out_date=date(2026, 7, 10))
    books.do(reprice_rows, lived_in)
    with books.reading() as session:
        before = statement(session, lived_in, today).entries
        after = statement(session, lived_in, books.clock.today()).entries
    assert [entry.total_yen for entry in before[-2:]] == [83_000, 83_000]
    assert [entry.total_yen for entry in after[-2:]] == [26_774, 0]


def test_asked_again_nothing_changes(books: Books, lived_in: str) -> None:
    changed(books, lived_in, move_out_date=date(2026, 7, 10))
    books.do(reprice_rows, lived_in)
    entries = books.entries(lived_in)
    assert books.do(reprice_rows, lived_in) == ()
    assert books.entries(lived_in) == entries


def test_each_writing_of_a_row_has_the_next_number(books: Books, lived_in: str) -> None:
    for day in (date(2026, 8, 10), date(2026, 8, 20)):
        changed(books, lived_in, move_out_date=day)
        books.do(reprice_rows, lived_in)
    with books.reading() as session:
        asked = select(RowExtent).order_by(RowExtent.row_id, RowExtent.number)
        lines = [(one.number, one.last_on) for one in session.scalars(asked)]
    assert lines[2:] == [
        (1, date(2026, 8, 31)),
        (2, date(2026, 8, 10)),
        (3, date(2026, 8, 20)),
    ]


def test_a_withdrawn_move_out_restores_every_row(books: Books, lived_in: str) -> None:
    changed(books, lived_in, move_out_date=date(2026, 7, 10))
    books.do(reprice_rows, lived_in)
    changed(books, lived_in, move_out_date=None)
    books.do(reprice_rows, lived_in)
    totals = [entry.total_yen for entry in books.entries(lived_in)]
    assert totals == [83_000, 83_000, 83_000]
    assert books.bill(date(2026, 7, 25)).entries == 0


def test_a_stub_never_becomes_a_whole_month(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), date(2026, 7, 15))
    books.do(bill_month, through_on=date(2026, 7, 31))
    books.bill(date(2026, 6, 25))
    stub = books.entry(id_, "stub")
    for day in (date(2026, 7, 20), date(2026, 9, 30)):
        changed(books, id_, move_out_date=day)
        books.do(reprice_rows, id_)
    assert books.entry(id_, "stub").total_yen == stub.total_yen == 83_000 - 40_161


def test_a_preview_tells_the_rows_and_writes_nothing(books: Books, lived_in: str) -> None:
    entries = books.entries(lived_in)
    books.at(date(2026, 7, 26))
    with books.reading() as session:
        tenancy = tenancy_of(session, lived_in, books.clock.today())
        as_filed = type(tenancy)(term=tenancy.term, move_out_on=date(2026, 7, 10))
        shown = preview_repricing(session, books.clock, lived_in, as_filed)
    assert books.entries(lived_in) == entries
    changed(books, lived_in, move_out_date=date(2026, 7, 10))
    written = books.do(reprice_rows, lived_in)
    assert [row.change_yen for row in shown] == [row.change_yen for row in written]


def test_a_cancelled_booking_keeps_of_its_fee_what_was_paid(books: Books) -> None:
    id_ = books.booked(
        date(2026, 5, 20),
        date(2026, 6, 1),
        date(2027, 5, 31),
        reservation_fee_yen=30_000,
        deposit_yen=68_000,
    )
    invoice = books.entry(id_, "move_in")
    books.pay(date(2026, 5, 21), id_, 20_000, invoice)
    changed(books, id_, cancelled_at=books.clock.now())
    books.do(reprice_rows, id_)
    assert books.do(keep_paid_fee, id_) == 20_000
    assert books.do(keep_paid_fee, id_) == 20_000
    after = standing(books, id_, invoice.id)
    assert (after.payable_yen, after.unpaid_yen, after.overpaid_yen) == (20_000, 0, 0)
    assert after.deposit_yen == 0  # nobody paid it, and nobody is asked for it any more
