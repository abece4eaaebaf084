"""Notices of the demo: those of the last days are unread, and none waits to be mailed."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import update
from sqlalchemy.orm import Session

from pms.notices.models import Notice, NoticeSending
from pms.rules.notices_to_people import UnsentBecause

_UNREAD_DAYS: Final = timedelta(days=2)


def keep_notices(session: Session, now: datetime) -> None:
    """Let the staff have read what is older, so that no mail of it is due."""
    session.execute(
        update(Notice)
        .where(Notice.caused_at < now - _UNREAD_DAYS)
        .values(opened_at=Notice.caused_at)
    )
    session.execute(
        update(NoticeSending)
        .where(NoticeSending.due_at.is_not(None))
        .values(due_at=None, ended_at=now, unsent_because=UnsentBecause.READ)
    )
