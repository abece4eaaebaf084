"""Books a unit under an id that was given out with the form, so that sending it twice books once."""

from typing import Unpack

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.booking import Booking, BookingFacts
from pms.arrivals.booking_plan import plan_booking
from pms.arrivals.write_booking import Booked, write_booking
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.reservations.locks import lock_units
from pms.reservations.models import Reservation


def book_once(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    new_reservation_id: str,
    **facts: Unpack[BookingFacts],
) -> Booked | None:
    """Return what was booked, or None when a booking was made under this id before.

    Raises what `book` raises.
    """
    if not is_id(new_reservation_id):
        raise Refused("The form is not whole; open it again.")
    # Whoever sends the same form at this moment waits here, and then finds the booking.
    if is_id(facts["unit_id"]):
        lock_units(session, [facts["unit_id"]])
    asked = select(Reservation.id).where(Reservation.id == new_reservation_id)
    if session.scalar(asked) is not None:
        return None
    plan = plan_booking(
        session, clock.today(), Booking(**facts), reservation_id=new_reservation_id, is_written=True
    )
    return write_booking(session, clock, actor, new_reservation_id, plan)
