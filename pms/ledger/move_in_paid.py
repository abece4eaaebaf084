"""Tells whether a move-in invoice is paid, and says so on its reservation once it is."""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import facts_of, note_change
from pms.foundation.clock import Clock
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import standings
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed
from pms.rules.enumerations import EntryKind, PaymentStatus
from pms.rules.status_changes import payment_status_after


def is_move_in_invoice_paid(session: Session, reservation_id: str, on: date) -> bool:
    """Tell whether there is a move-in invoice and nothing of it is open, the deposit included."""
    ids = session.scalars(
        select(LedgerEntry.id).where(
            LedgerEntry.reservation_id == reservation_id, LedgerEntry.kind == EntryKind.MOVE_IN
        )
    ).all()
    found = standings(session, (reservation_id,), on).get(reservation_id, ())
    invoices = [one for one in found if one.id in ids and not one.is_voided]
    return bool(invoices) and not any(one.open_yen for one in invoices)


def follow_payment(session: Session, clock: Clock, actor: str, row: Reservation) -> None:
    """Make the payment status paid when the ledger now holds the move-in invoice as paid.

    It never goes back (specification, Enumerations): taking a payment back changes nothing here.
    The version stays: money that arrives makes nobody's open form out of date.
    """
    before = PaymentStatus(row.payment_status)
    after = payment_status_after(before, PaymentStatus.PAID)
    if after is before or not is_move_in_invoice_paid(session, row.id, clock.today()):
        return
    seen = facts_of(row)
    row.payment_status = after
    row.updated_at, row.updated_by = clock.now(), actor
    note_change(session, clock, actor, Deed.PAYMENT_STATUS_CHANGED, row, since=seen)
