"""Tells when a booking is confirmed: the contract signed and the move-in invoice paid."""

from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.phrases import Phrase
from pms.ledger.move_in_paid import is_move_in_invoice_paid
from pms.reservations.changing import move_lifecycle
from pms.reservations.models import Reservation
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus
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


def missing_for_confirmation(row: Reservation, payment: PaymentStatus) -> tuple[Phrase, ...]:
    """Return what a booking still waits for (specification, States and transitions)."""
    missing = []
    if row.esign_status != EsignStatus.SIGNED:
        signature = EsignStatus(row.esign_status)
        missing.append(Phrase("the contract is not signed (esignStatus {state})", state=signature))
    if payment != PaymentStatus.PAID:
        missing.append(
            Phrase("the move-in invoice is not paid (paymentStatus {state})", state=payment)
        )
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
