"""Takes an outside event about a payment by the allowed transitions (specification, Events 2)."""

from sqlalchemy.orm import Session

from pms.arrivals.confirming import StatusChange, confirm_when_ready
from pms.foundation.audit import facts_of, note_change
from pms.foundation.clock import Clock
from pms.reservations.changing import mark_changed, reservation_to_change
from pms.rules.deeds import Deed
from pms.rules.enumerations import PaymentStatus
from pms.rules.status_changes import payment_status_after


def change_payment_status(
    session: Session, clock: Clock, actor: str, *, reservation_id: str, status: PaymentStatus
) -> StatusChange[PaymentStatus]:
    """Change the status where the transition is allowed; confirm a booking that was waiting for it.

    A late or repeated event changes nothing, and the answer says so.
    """
    row = reservation_to_change(session, reservation_id)
    before, after = row.payment_status, payment_status_after(row.payment_status, status)
    if after == before:
        return StatusChange(before, before)
    seen = facts_of(row)
    row.payment_status = after
    is_confirmed = confirm_when_ready(session, clock, row)
    mark_changed(row, clock, actor)
    note_change(session, clock, actor, Deed.PAYMENT_STATUS_CHANGED, row, since=seen)
    session.flush()
    return StatusChange(before, after, is_confirmed)
