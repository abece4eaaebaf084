"""Steps of a tenancy's life: confirmation, move-in, and what a day brings."""

from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase, all_of
from pms.foundation.work import Work
from pms.ledger.move_in import missing_for_confirmation, payment_status_now
from pms.reservations.changes import mark_changed, move_lifecycle, reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import (
    Lifecycle,
)


def confirm_booking(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> Reservation:
    """Move a booking to confirmed, or raise `Refused` naming what it still waits for."""
    row = reservation_to_change(work.session, reservation_id, expected_version)
    payment = payment_status_now(work.session, row, work.clock.today())
    missing = missing_for_confirmation(row, payment)
    if missing and row.lifecycle == Lifecycle.BOOKED:
        raise Refused(
            "lifecycle: the booking is not confirmed: {missing}.", missing=all_of(missing)
        )
    move_lifecycle(row, Lifecycle.CONFIRMED)
    row.payment_status = payment
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.RESERVATION_CONFIRMED, row)
    work.session.flush()
    return row


def move_in(work: Work, *, reservation_id: str, expected_version: int | None = None) -> Reservation:
    """Move a booking to living from its effective start on; raise `Refused` before that day."""
    row = reservation_to_change(work.session, reservation_id, expected_version)
    if row.starts_on is None or row.starts_on > work.clock.today():
        start = row.starts_on or Phrase("a day that cannot be read")
        raise Refused(
            "lifecycle: the contract starts on {start_on} and today is {today}; correct the"
            " move-in date for an earlier start.",
            start_on=start,
            today=work.clock.today(),
        )
    move_lifecycle(row, Lifecycle.LIVING)
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.RESERVATION_MOVED_IN, row)
    work.session.flush()
    return row
