"""Finds the entry of a guest that is about to change, and settles what follows from it."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed
from pms.stays.models import CheckInLink, GuestRegistration
from pms.stays.register import entry_of
from pms.stays.stay_terms import Terms


def guest_in_hand(
    session: Session, clock: Clock, link: CheckInLink, position: int
) -> GuestRegistration:
    """Return the entry of a guest, a new one if there is none; the link is locked already."""
    if not 1 <= position <= link.guests:
        raise NotFound("There is no guest {position} of this stay.", position=position)
    row = session.scalar(
        select(GuestRegistration).where(
            GuestRegistration.link_id == link.id, GuestRegistration.position == position
        )
    )
    if row is None:
        row = GuestRegistration(
            id=new_id(),
            link_id=link.id,
            position=position,
            name="",
            lives_in_japan=False,
            extras={},
            written_at=clock.now(),
            updated_at=clock.now(),
        )
        session.add(row)
    return row


def has_begun(session: Session, clock: Clock, link: CheckInLink, terms: Terms) -> bool:
    """Whether the guests may have arrived: from the check-in time on, in Japan."""
    asked = select(Reservation.starts_on).where(Reservation.id == link.reservation_id)
    arrival = terms.arrives_at(session.scalar(asked))
    return arrival is not None and clock.now() >= arrival


def begun_stay() -> Refused:
    """Return the refusal to change what was written before the guests arrived."""
    return Refused("The stay has begun. What is written can only be changed by the office now.")


def settle_check_in(
    session: Session, clock: Clock, actor: str, link: CheckInLink, terms: Terms
) -> None:
    """Note when the register became complete, and when nothing was left to do for the guests."""
    session.flush()
    rows = session.scalars(select(GuestRegistration).where(GuestRegistration.link_id == link.id))
    complete = sum(entry_of(session, row, terms).is_complete for row in rows)
    if complete < link.guests:
        link.registered_at = None
    elif link.registered_at is None:
        link.registered_at = clock.now()
    is_agreed = link.rules_accepted_at is not None or not terms.has_rules
    is_done = link.registered_at is not None and link.arrival_time is not None and is_agreed
    if is_done and link.finished_at is None:
        link.finished_at = clock.now()
        about = of_reservation(link.reservation_id)
        note_deed(session, clock, actor, Deed.CHECK_IN_FINISHED, about)
    session.flush()
