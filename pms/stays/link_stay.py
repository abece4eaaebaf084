"""Makes the link of a guest's booking that stands already."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.tokens import new_token
from pms.reservations.locks import locked_reservation
from pms.rules.check_in import check_in_link_state
from pms.rules.deeds import Deed
from pms.rules.enumerations import CheckInLinkState, ReservationKind
from pms.stays.models import CheckInLink

MOST_GUESTS: Final = 20


def link_stay(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    guests: int = 1,
    external_id: str | None = None,
) -> str:
    """Return the id of the new link; a booking has one, so a second one is refused."""
    checked_guests(guests)
    stay = locked_reservation(session, reservation_id)
    if stay.kind != ReservationKind.GUEST:
        raise Refused("reservationId: only a guest's booking has a check-in link.")
    state = check_in_link_state(
        today=clock.today(),
        revoked_at=None,
        cancelled_at=stay.cancelled_at,
        lifecycle=stay.lifecycle,
        check_out_on=stay.ends_on,
    )
    if state is not CheckInLinkState.LIVE:
        raise Refused("reservationId: this stay is over or was cancelled.")
    known = select(CheckInLink.id).where(CheckInLink.reservation_id == stay.id)
    if session.scalar(known) is not None:
        raise Refused("reservationId: this booking has a check-in link already.")
    link = CheckInLink(
        id=new_id(),
        reservation_id=stay.id,
        nonce=new_token(),
        guests=guests,
        created_at=clock.now(),
        created_by=actor,
        external_id=external_id,
    )
    session.add(link)
    told = {"guests": guests}
    note_deed(
        session, clock, actor, Deed.CHECK_IN_LINK_CREATED, of_reservation(stay.id), after=told
    )
    session.flush()
    return link.id


def checked_guests(guests: int) -> int:
    """Return how many guests stay, or raise `Refused`."""
    if type(guests) is not int or not 1 <= guests <= MOST_GUESTS:
        raise Refused(
            "guests: '{value}' is not a whole number from {least} to {most}.",
            value=str(guests)[:20],
            least=1,
            most=MOST_GUESTS,
        )
    return guests
