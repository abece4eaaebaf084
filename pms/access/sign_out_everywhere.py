"""Ends every session of a person; it counts from the next request on."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.doorway import Visitor
from pms.access.models import DoorSession
from pms.access.sign_in_events import note_event
from pms.foundation.clock import Clock
from pms.rules.enumerations import SignInEventKind


def sign_out_everywhere(
    session: Session,
    clock: Clock,
    person_id: str,
    *,
    but: str | None = None,
    by: Visitor | None = None,
) -> int:
    """End the sessions of a person, but one if so told; return how many live ones ended.

    `by` is who ends them, for the record; nobody where another event says so already.
    """
    live = select(DoorSession).where(
        DoorSession.person_id == person_id, DoorSession.revoked_at.is_(None)
    )
    ended = [row for row in session.scalars(live.with_for_update()) if row.id != but]
    for row in ended:
        row.revoked_at = clock.now()
    session.flush()
    if by is not None:
        note_event(session, clock, SignInEventKind.SESSIONS_ENDED, by)
    return sum(row.expires_at > clock.now() for row in ended)
