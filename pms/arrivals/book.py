"""Books a unit: writes the reservation, freezes its price and issues its move-in invoice."""

from typing import Unpack

from sqlalchemy.orm import Session

from pms.arrivals.booking import Booking, BookingFacts
from pms.arrivals.booking_plan import plan_booking
from pms.arrivals.write_booking import Booked, write_booking
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id


def book(session: Session, clock: Clock, actor: str, **facts: Unpack[BookingFacts]) -> Booked:
    """Return the id of a new reservation, and its move-in invoice as it was issued.

    An owner resident has no invoice, nor has a guest without a price. Raises `NotFound` for an
    unknown unit, and `Refused` for bad facts and for nights that another reservation holds; a
    tenancy that is forced month to month holds all of them.
    """
    id_ = new_id()
    plan = plan_booking(
        session, clock.today(), Booking(**facts), reservation_id=id_, is_written=True
    )
    return write_booking(session, clock, actor, id_, plan)
