"""Confirms a booking whose contract is signed and whose move-in invoice is paid."""

from sqlalchemy.orm import Session

from pms.arrivals.confirming import missing_for_confirmation, payment_status_now
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.phrases import all_of
from pms.reservations.changing import mark_changed, move_lifecycle, reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed
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
        raise Refused(
            "lifecycle: the booking is not confirmed: {missing}.", missing=all_of(missing)
        )
    move_lifecycle(row, Lifecycle.CONFIRMED)
    row.payment_status = payment
    mark_changed(row, clock, actor)
    note_change(session, clock, actor, Deed.RESERVATION_CONFIRMED, row)
    session.flush()
    return row
