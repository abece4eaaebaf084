"""Ends one session; it counts from the next request on."""

from sqlalchemy.orm import Session

from pms.access.models import DoorSession
from pms.foundation.clock import Clock


def sign_out(session: Session, clock: Clock, session_id: str) -> None:
    """End a session, whoever holds it; ending it twice changes nothing."""
    row = session.get(DoorSession, session_id, with_for_update=True)
    if row is not None and row.revoked_at is None:
        row.revoked_at = clock.now()
        session.flush()
