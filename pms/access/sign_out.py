"""Ends one session; it counts from the next request on."""

from sqlalchemy.orm import Session

from pms.access.doorway import Visitor
from pms.access.models import DoorSession
from pms.access.sign_in_events import note_event
from pms.foundation.clock import Clock
from pms.rules.enumerations import SignInEventKind


def sign_out(
    session: Session,
    clock: Clock,
    session_id: str,
    *,
    by: Visitor | None = None,
    kind: SignInEventKind = SignInEventKind.SIGNED_OUT,
) -> None:
    """End a session, whoever holds it; ending it twice changes nothing.

    `by` is who ends it, for the record; nobody where another session takes its place.
    """
    row = session.get(DoorSession, session_id, with_for_update=True)
    if row is None or row.revoked_at is not None:
        return
    row.revoked_at = clock.now()
    session.flush()
    if by is not None:
        note_event(session, clock, kind, by, door=row.door, workspace_id=row.workspace_id)
