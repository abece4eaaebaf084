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


def payment_status_now(session: Session, row: Reservation, on: date) -> PaymentStatus:
    """Return the payment status with the ledger counted (specification, Enumerations).

    It tells how far the move-in invoice is paid, and what the ledger holds as paid is paid,
    whoever recorded it.
    """
    if not is_move_in_invoice_paid(session, row.id, on):
        return PaymentStatus(row.payment_status)
    return payment_status_after(PaymentStatus(row.payment_status), PaymentStatus.PAID)


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


def missing_for_confirmation(row: Reservation, payment: PaymentStatus) -> tuple[str, ...]:
    """Return what a booking still waits for (specification, States and transitions)."""
    missing = []
    if row.esign_status != EsignStatus.SIGNED:
        missing.append(f"the contract is not signed (esignStatus {row.esign_status})")
    if payment != PaymentStatus.PAID:
        missing.append(f"the move-in invoice is not paid (paymentStatus {payment})")
    return tuple(missing)


def confirm_when_ready(session: Session, clock: Clock, row: Reservation) -> bool:
    """Confirm a booking that waits for nothing more; the caller counts the change."""
    if row.lifecycle != Lifecycle.BOOKED:
        return False
    row.payment_status = payment_status_now(session, row, clock.today())
    if missing_for_confirmation(row, row.payment_status):
        return False
    move_lifecycle(row, Lifecycle.CONFIRMED)
    return True
