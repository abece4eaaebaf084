"""Takes a reservation link in hand to change it: its unit's row is locked before its own."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.offers.models import ReservationLink
from pms.reservations.locks import lock_units


def link_to_change(session: Session, link_id: str) -> ReservationLink:
    """Return the link, locked and as it stands now; raise `NotFound` for an id of nobody here."""
    found = None
    if is_id(link_id):
        found = session.scalar(
            select(ReservationLink)
            .where(ReservationLink.id == link_id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )
    if found is None:
        raise NotFound("There is no reservation link '{id}'.", id=link_id[:60])
    return found


def link_to_accept(session: Session, link_id: str) -> ReservationLink:
    """Return the link like `link_to_change`; whoever else wants the unit waits from here on."""
    asked = select(ReservationLink.unit_id).where(ReservationLink.id == link_id)
    unit_id = session.scalar(asked) if is_id(link_id) else None
    if unit_id is not None:
        lock_units(session, [unit_id])
    return link_to_change(session, link_id)
