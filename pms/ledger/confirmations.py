"""Statuses of payment and contract, and the confirmation of a booking that waited for them."""

from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from sqlalchemy.orm import Session

from pms.foundation.audit import facts_of, note_change
from pms.foundation.clock import Clock
from pms.foundation.phrases import Phrase
from pms.foundation.work import Work
from pms.ledger.move_in import is_move_in_invoice_paid
from pms.reservations.changes import mark_changed, move_lifecycle, reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.cancellation import esign_status_after, payment_status_after
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus

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


def change_esign_status(
    work: Work, *, reservation_id: str, status: EsignStatus
) -> StatusChange[EsignStatus]:
    """Change the status where the transition is allowed; confirm a booking that was waiting for it.

    A late or repeated event changes nothing, and the answer says so.
    """
    row = reservation_to_change(work.session, reservation_id)
    before, after = row.esign_status, esign_status_after(row.esign_status, status)
    if after == before:
        return StatusChange(before, before)
    seen = facts_of(row)
    row.esign_status = after
    is_confirmed = confirm_when_ready(work.session, work.clock, row)
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.SIGNATURE_CHANGED, row, since=seen)
    work.session.flush()
    return StatusChange(before, after, is_confirmed)


def change_payment_status(
    work: Work, *, reservation_id: str, status: PaymentStatus
) -> StatusChange[PaymentStatus]:
    """Change the status where the transition is allowed; confirm a booking that was waiting for it.

    A late or repeated event changes nothing, and the answer says so.
    """
    row = reservation_to_change(work.session, reservation_id)
    before, after = row.payment_status, payment_status_after(row.payment_status, status)
    if after == before:
        return StatusChange(before, before)
    seen = facts_of(row)
    row.payment_status = after
    is_confirmed = confirm_when_ready(work.session, work.clock, row)
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.PAYMENT_STATUS_CHANGED, row, since=seen)
    work.session.flush()
    return StatusChange(before, after, is_confirmed)
