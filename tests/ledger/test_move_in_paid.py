"""The payment status becomes paid with the last yen of the move-in invoice, and with nothing else."""

from datetime import date

import pytest
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.ledger.move_in import is_move_in_invoice_paid
from pms.ledger.move_in_invoices import issue_move_in_invoice
from pms.ledger.posting import void_entry
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import PaymentStatus
from tests.ledger.conftest import ACTOR, Books

BOOKED, TODAY = date(2026, 5, 20), date(2026, 6, 25)
INVOICED_YEN = 83_000 + 30_000 + 68_000


def booked(books: Books, status: PaymentStatus = PaymentStatus.PENDING) -> str:
    """Owes a move-in invoice with a fee and a deposit, and July."""
    amounts = {"reservation_fee_yen": 30_000, "deposit_yen": 68_000, "payment_status": status}
    id_ = books.booked(BOOKED, date(2026, 6, 1), date(2027, 5, 31), **amounts)
    books.bill(TODAY)
    return id_


def row_of(books: Books, id_: str) -> Reservation:
    with books.reading() as session:
        found: Reservation = session.scalars(select(Reservation).where(Reservation.id == id_)).one()
    return found


def is_paid(books: Books, id_: str) -> bool:
    with books.reading() as session:
        return is_move_in_invoice_paid(session, id_, books.clock.today())


def noted(books: Books) -> list[tuple[str, object, object]]:
    asked = select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.PAYMENT_STATUS_CHANGED)
    with books.reading() as session:
        return [(one.actor, one.before, one.after) for one in session.scalars(asked)]


def test_only_the_last_yen_of_the_invoice_makes_it_paid(books: Books) -> None:
    id_ = booked(books)
    version = row_of(books, id_).version
    books.pay(TODAY, id_, 83_000, books.entry(id_, "rent"))
    books.pay(TODAY, id_, INVOICED_YEN - 1, books.entry(id_, "move_in"))
    assert not is_paid(books, id_)
    assert row_of(books, id_).payment_status == PaymentStatus.PENDING
    assert noted(books) == []
    books.pay(TODAY, id_, 1, books.entry(id_, "move_in"))
    row = row_of(books, id_)
    assert is_paid(books, id_)
    assert (row.payment_status, row.version) == (PaymentStatus.PAID, version)
    assert (row.updated_at, row.updated_by) == (books.clock.now(), ACTOR)
    assert noted(books) == [(ACTOR, {"payment_status": "pending"}, {"payment_status": "paid"})]


def test_rent_that_is_still_unpaid_does_not_matter(books: Books) -> None:
    id_ = booked(books, PaymentStatus.FAILED)
    books.pay(TODAY, id_, INVOICED_YEN, books.entry(id_, "move_in"))
    assert is_paid(books, id_)
    assert row_of(books, id_).payment_status == PaymentStatus.PAID


@pytest.mark.parametrize("status", [PaymentStatus.PAID, PaymentStatus.REFUNDED])
def test_what_was_paid_or_refunded_before_stays_and_nothing_is_noted(
    books: Books, status: PaymentStatus
) -> None:
    id_ = booked(books, status)
    books.pay(TODAY, id_, INVOICED_YEN, books.entry(id_, "move_in"))
    assert row_of(books, id_).payment_status == status
    assert noted(books) == []


def test_a_voided_invoice_counts_as_none_and_the_next_one_counts(books: Books) -> None:
    books.at(BOOKED)
    id_ = books.resident(date(2026, 6, 1), None)
    assert not is_paid(books, id_)
    books.do(issue_move_in_invoice, reservation_id=id_)
    books.do(void_entry, books.entry(id_, "move_in").id)
    assert not is_paid(books, id_)
    books.do(issue_move_in_invoice, reservation_id=id_)
    books.pay(BOOKED, id_, 83_000)
    assert is_paid(books, id_)
