"""Notes that somebody on the waitlist was offered a unit."""

from sqlalchemy.orm import Session

from pms.enquiries.waitlist_changes import move_on, place_to_change
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.rules.enumerations import WaitlistState


def offer_waitlist_place(session: Session, clock: Clock, actor: str, *, place_id: str) -> None:
    """Note that a unit was offered; the person is asked by the office, no mail leaves."""
    row = place_to_change(session, place_id)
    deed, into = Deed.WAITLIST_PLACE_OFFERED, WaitlistState.OFFERED
    move_on(session, clock, actor, row, deed=deed, into=into)
