"""Takes a place on the waitlist in hand and moves it on: a step is taken once."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.enquiries.models import WaitlistPlace
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
from pms.rules.enumerations import WaitlistState


def place_to_change(session: Session, place_id: str) -> WaitlistPlace:
    """Return the place, locked; raise `NotFound` for an id of nobody here."""
    question = select(WaitlistPlace).where(WaitlistPlace.id == place_id).with_for_update()
    found = None
    if is_id(place_id):
        found = session.scalar(question.execution_options(populate_existing=True))
    if found is None:
        raise NotFound("There is no place '{place_id}' on the waitlist.", place_id=place_id[:60])
    return found


def move_on(
    session: Session,
    clock: Clock,
    actor: str,
    row: WaitlistPlace,
    *,
    deed: Deed,
    into: WaitlistState,
) -> None:
    """Write the state with who and when; raise `Refused` when it is there already."""
    if row.state in (into, WaitlistState.CLOSED):
        raise Refused("state: this place is {state} already.", state=row.state)
    row.state, row.changed_at, row.changed_by = into, clock.now(), actor
    note_change(session, clock, actor, deed, row)
    session.flush()
