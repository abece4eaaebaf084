"""Confirming a booking once its move-in invoice is paid and the contract signed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import facts_of, note_change
from pms.foundation.clock import Clock
from pms.foundation.phrases import Phrase
from pms.foundation.work import Work
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import standings
from pms.reservations.changes import mark_changed, move_lifecycle
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.cancellation import esign_status_after, payment_status_after
from pms.rules.enumerations import EntryKind, EsignStatus, Lifecycle, PaymentStatus


def is_move_in_invoice_paid(session: Session, reservation_id: str, on: date) -> bool:
    """Whether there is a move-in invoice and all of it is paid, the deposit included."""
    ids = session.scalars(
        select(LedgerEntry.id).where(
            LedgerEntry.reservation_id == reservation_id, LedgerEntry.kind == EntryKind.MOVE_IN
        )
    ).all()
    found = standings(session, (reservation_id,), on).get(reservation_id, ())
    invoices = [entry for entry in found if entry.id in ids and not entry.is_voided]
    return bool(invoices) and not any(entry.open_yen for entry in invoices)


def follow_payment(work: Work, row: Reservation) -> None:
    """Set the payment status to paid once the ledger shows the move-in invoice as paid.

    A booking that is signed as well is confirmed. The status never goes back (specification, Enumerations): reversing a payment changes nothing here. The
    version is not raised: a received payment must not make open forms outdated.
    """
    before = PaymentStatus(row.payment_status)
    after = payment_status_after(before, PaymentStatus.PAID)
    if after is before or not is_move_in_invoice_paid(work.session, row.id, work.clock.today()):
        return
    seen = facts_of(row)
    row.payment_status = after
    row.updated_at, row.updated_by = work.clock.now(), work.actor
    note_change(work, AuditEvent.PAYMENT_STATUS_CHANGED, row, since=seen)
    seen = facts_of(row)
    if confirm_when_ready(work.session, work.clock, row):
        note_change(work, AuditEvent.RESERVATION_CONFIRMED, row, since=seen)
    work.session.flush()


Status = TypeVar("Status", PaymentStatus, EsignStatus)


@dataclass(frozen=True, slots=True)
class StatusChange(Generic[Status]):
    """The effect of an outside event: both statuses, and whether a booking was confirmed."""

    before: Status
    after: Status
    is_confirmed: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether the status changed; false for a late or repeated event."""
        return self.before != self.after


def payment_status_now(session: Session, row: Reservation, on: date) -> PaymentStatus:
    """Return the payment status, taking the ledger into account (specification, Enumerations).

    It is the status of the move-in invoice; once the ledger shows it as paid it is paid, whoever
    recorded the payment.
    """
    if not is_move_in_invoice_paid(session, row.id, on):
        return PaymentStatus(row.payment_status)
    return payment_status_after(PaymentStatus(row.payment_status), PaymentStatus.PAID)


def missing_for_confirmation(row: Reservation, payment: PaymentStatus) -> tuple[Phrase, ...]:
    """Return what a booking lacks for confirmation (specification, States and transitions)."""
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
    """Confirm a booking that lacks nothing; the caller notes it."""
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
    """Change the status if the transition is allowed; confirm a booking that was waiting for it.

    A late or repeated event changes nothing, as the result says.
    """
    row = reservation_to_change(work.session, reservation_id)
    before, after = row.esign_status, esign_status_after(row.esign_status, status)
    if after == before:
        return StatusChange(before, before)
    seen = facts_of(row)
    row.esign_status = after
    is_confirmed = _follow_status(work, row, AuditEvent.SIGNATURE_CHANGED, seen)
    return StatusChange(before, after, is_confirmed)


def change_payment_status(
    work: Work, *, reservation_id: str, status: PaymentStatus, reason: str | None = None
) -> StatusChange[PaymentStatus]:
    """Change the status if the transition is allowed; confirm a booking that was waiting for it.

    A late or repeated event changes nothing, as the result says. `reason` is why a person states
    it.
    """
    row = reservation_to_change(work.session, reservation_id)
    before, after = row.payment_status, payment_status_after(row.payment_status, status)
    if after == before:
        return StatusChange(before, before)
    seen = facts_of(row)
    row.payment_status = after
    also = {"reason": reason} if reason else None
    is_confirmed = _follow_status(work, row, AuditEvent.PAYMENT_STATUS_CHANGED, seen, also)
    return StatusChange(before, after, is_confirmed)


def _follow_status(
    work: Work,
    row: Reservation,
    audit_event: AuditEvent,
    seen: Mapping[str, Any],
    also: Mapping[str, Any] | None = None,
) -> bool:
    """Write the audit event of a changed status; whether that confirmed the booking."""
    is_confirmed = confirm_when_ready(work.session, work.clock, row)
    mark_changed(row, work.clock, work.actor)
    note_change(work, audit_event, row, since=seen, also=also)
    work.session.flush()
    return is_confirmed
