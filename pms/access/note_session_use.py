"""Notes when a session was last seen, at most once a minute."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import update
from sqlalchemy.orm import Session

from pms.access.models import DoorSession

EVERY: Final = timedelta(minutes=1)


def note_session_use(session: Session, session_id: str, seen_at: datetime) -> None:
    """Record the instant a session was seen; an older instant changes nothing."""
    session.execute(
        update(DoorSession)
        .where(DoorSession.id == session_id, DoorSession.last_seen_at < seen_at)
        .values(last_seen_at=seen_at)
        .execution_options(synchronize_session=False)
    )
