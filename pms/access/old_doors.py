"""Deletes codes and sessions that open nothing any more."""

from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.orm import Session

from pms.access.models import DoorSession, SignInCode


def forget_codes(session: Session, before: datetime) -> None:
    """Delete the codes asked for before an instant."""
    session.execute(delete(SignInCode).where(SignInCode.sent_at < before))


def forget_sessions(session: Session, before: datetime) -> None:
    """Delete the sessions that ended before an instant."""
    session.execute(delete(DoorSession).where(DoorSession.expires_at < before))
