"""Shows what accepting an offer would bill; nothing is written."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.preview_booking import preview_booking
from pms.foundation.clock import Clock
from pms.ledger.planned_entries import PlannedEntry
from pms.offers.models import ReservationLink
from pms.offers.stated_booking import booking_of


def preview_offer(session: Session, clock: Clock, link_id: str) -> PlannedEntry | None:
    """Return the move-in invoice that booking would issue today, by the same code.

    Raises `Refused` when the offer cannot be booked any more.
    """
    row = session.scalars(select(ReservationLink).where(ReservationLink.id == link_id)).one()
    return preview_booking(session, clock, **booking_of(row, None)).invoice
