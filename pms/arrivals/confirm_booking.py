"""Confirms a booking whose contract is signed and whose move-in invoice is paid."""

from sqlalchemy.orm import Session

from pms.arrivals.confirming import missing_for_confirmation, payment_status_now
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.reservations.changing import mark_changed, move_lifecycle, reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle


def confirm_booking(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    expected_version: int | None = None,
) -> Reservation:
    """Move a booking to confirmed, or raise `Refused` naming what it still waits for."""
    row = reservation_to_change(session, reservation_id, expected_version)
    payment = payment_status_now(session, row, clock.today())
    missing = missing_for_confirmation(row, payment)
    if missing and row.lifecycle == Lifecycle.BOOKED:
        raise Refused(f"lifecycle: the booking is not confirmed: {' and '.join(missing)}.")
    move_lifecycle(row, Lifecycle.CONFIRMED)
    row.payment_status = payment
    mark_changed(row, clock, actor)
    session.flush()
    return row
