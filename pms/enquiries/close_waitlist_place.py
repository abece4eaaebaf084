"""Takes somebody off the waitlist; the place stays to be read."""

from sqlalchemy.orm import Session

from pms.enquiries.waitlist_changes import move_on, place_to_change
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.rules.enumerations import WaitlistState


def close_waitlist_place(session: Session, clock: Clock, actor: str, *, place_id: str) -> None:
    """End the waiting: they moved in, found something else, or gave up."""
    row = place_to_change(session, place_id)
    deed, into = Deed.WAITLIST_PLACE_CLOSED, WaitlistState.CLOSED
    move_on(session, clock, actor, row, deed=deed, into=into)
