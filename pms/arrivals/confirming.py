"""Tells when a booking is confirmed: the contract signed and the move-in invoice paid."""

from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import standings
from pms.reservations.changing import move_lifecycle
from pms.reservations.models import Reservation
from pms.rules.enumerations import EntryKind, EsignStatus, Lifecycle, PaymentStatus
from pms.rules.status_changes import payment_status_after

Status = TypeVar("Status", PaymentStatus, EsignStatus)


@dataclass(frozen=True, slots=True)
class StatusChange(Generic[Status]):
    """What an outside event did: the status before and after, and whether it confirmed a booking."""

    before: Status
    after: Status
    is_confirmed: bool = False

    @property
    def is_changed(self) -> bool:
        """False for a late or repeated event."""
        return self.before != self.after


def follow_move_in_invoice(session: Session, row: Reservation, on: date) -> bool:
    """Have the payment status say what the ledger says; tell whether that changed it.

    The status tells how far the move-in invoice is paid (specification, Enumerations). What the
    ledger holds as paid is paid, whoever recorded it.
    """
    if not is_move_in_invoice_paid(session, row.id, on):
        return False
    before = row.payment_status
    row.payment_status = payment_status_after(before, PaymentStatus.PAID)
    return row.payment_status != before


def is_move_in_invoice_paid(session: Session, reservation_id: str, on: date) -> bool:
    """Tell whether there is a move-in invoice and nothing of it is open, the deposit included."""
    entry_id = session.scalar(
        select(LedgerEntry.id).where(
            LedgerEntry.reservation_id == reservation_id, LedgerEntry.kind == EntryKind.MOVE_IN
        )
    )
    found = standings(session, (reservation_id,), on).get(reservation_id, ())
    return any(standing.id == entry_id and not standing.open_yen for standing in found)


def missing_for_confirmation(row: Reservation) -> tuple[str, ...]:
    """Return what a booking still waits for (specification, States and transitions)."""
    missing = []
    if row.esign_status != EsignStatus.SIGNED:
        missing.append(f"the contract is not signed (esignStatus {row.esign_status})")
    if row.payment_status != PaymentStatus.PAID:
        missing.append(f"the move-in invoice is not paid (paymentStatus {row.payment_status})")
    return tuple(missing)


def confirm_when_ready(session: Session, clock: Clock, row: Reservation) -> bool:
    """Confirm a booking that waits for nothing more; the caller counts the change."""
    if row.lifecycle != Lifecycle.BOOKED:
        return False
    follow_move_in_invoice(session, row, clock.today())
    if missing_for_confirmation(row):
        return False
    move_lifecycle(row, Lifecycle.CONFIRMED)
    return True
