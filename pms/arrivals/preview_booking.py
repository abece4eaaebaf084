"""Shows what a booking would write, or why it is refused; nothing is written."""

from typing import Unpack

from sqlalchemy.orm import Session

from pms.arrivals.booking import Booking, BookingFacts
from pms.arrivals.booking_plan import BookingPlan, plan_booking
from pms.foundation.clock import Clock


def preview_booking(session: Session, clock: Clock, **facts: Unpack[BookingFacts]) -> BookingPlan:
    """Return the plan that `book` of the same facts would write today."""
    return plan_booking(session, clock.today(), Booking(**facts))
