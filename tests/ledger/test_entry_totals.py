"""The database adds up what each entry bills and got, whoever writes the rows."""

from datetime import date

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.ledger.models import Allocation, EntryTotal, LedgerEntry, LedgerLine
from tests.ledger.conftest import Books
from tests.statements.postings import deposit, pay, post_entry, post_lines, rent, void

MAY, JUNE, JULY = date(2026, 5, 20), date(2026, 6, 1), date(2026, 7, 3)
Totals = tuple[int, int, int, date]


def total_of(books: Books, entry_id: str) -> Totals:
    with books.reading() as session:
        found = session.get_one(EntryTotal, (session.workspace_id, entry_id))
        return found.billed_yen, found.deposit_yen, found.paid_yen, found.last_on


@pytest.mark.differs("triggers")
def test_lines_and_payments_are_added_up_as_they_are_written(books: Books) -> None:
    id_ = books.resident(JUNE, None)
    with books.writing() as session:
        entry_id = post_entry(session, id_, [rent(93_000), deposit(50_000)], issued_on=MAY)
    assert total_of(books, entry_id) == (143_000, 50_000, 0, MAY)
    with books.writing() as session:
        pay(session, id_, {entry_id: 60_000}, JUNE)
        post_lines(session, entry_id, [rent(-3_000), deposit(-10_000)], MAY)
    assert total_of(books, entry_id) == (130_000, 40_000, 60_000, JUNE)
    with books.writing() as session:
        pay(session, id_, {entry_id: 70_000}, JULY)
    assert total_of(books, entry_id) == (130_000, 40_000, 130_000, JULY)


@pytest.mark.differs("triggers")
def test_what_is_taken_back_is_not_added_up(books: Books) -> None:
    id_ = books.resident(JUNE, None)
    with books.writing() as session:
        entry_id = post_entry(session, id_, [rent(1_000)], issued_on=MAY)
    with pytest.raises(ZeroDivisionError), books.writing() as session:
        pay(session, id_, {entry_id: 1_000}, JUNE)
        session.flush()
        1 / 0  # noqa: B018  # whatever goes wrong after the payment
    assert total_of(books, entry_id) == (1_000, 0, 0, MAY)


@pytest.mark.differs("triggers")
def test_every_entry_of_a_book_has_the_sums_of_its_rows(books: Books) -> None:
    id_ = books.resident(JUNE, None)
    with books.writing() as session:
        entries = [
            post_entry(session, id_, [rent(n), deposit(2 * n)], issued_on=MAY) for n in range(1, 30)
        ]
        pay(session, id_, {entry_id: n for n, entry_id in enumerate(entries, 1)}, JUNE)
        void(session, entries[3], id_, JULY)
    with books.reading() as session:
        kept = select(
            EntryTotal.id, EntryTotal.billed_yen, EntryTotal.deposit_yen, EntryTotal.paid_yen
        )
        assert {tuple(row) for row in session.execute(kept)} == _sums(session)


def _sums(session: Session) -> set[tuple[str, int, int, int]]:
    line = select(func.coalesce(func.sum(LedgerLine.amount_yen), 0)).where(
        LedgerLine.workspace_id == LedgerEntry.workspace_id, LedgerLine.entry_id == LedgerEntry.id
    )
    paid = select(func.coalesce(func.sum(Allocation.amount_yen), 0)).where(
        Allocation.workspace_id == LedgerEntry.workspace_id, Allocation.entry_id == LedgerEntry.id
    )
    asked = select(
        LedgerEntry.id,
        line.correlate(LedgerEntry).scalar_subquery(),
        line.where(LedgerLine.is_deposit).correlate(LedgerEntry).scalar_subquery(),
        paid.correlate(LedgerEntry).scalar_subquery(),
    )
    return {(id_, int(a), int(b), int(c)) for id_, a, b, c in session.execute(asked)}
