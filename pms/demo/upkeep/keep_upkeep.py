"""Gives a workspace of the demo its work: cleanings, reports, projects and conversations."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.demo.photographs import Album
from pms.demo.upkeep.cleanings import clean
from pms.demo.upkeep.day import open_day
from pms.demo.upkeep.repairs import repair
from pms.foundation.outbox import OutboxMail
from pms.foundation.tokens import Sealer


def keep_upkeep(session: Session, now: datetime, album: Album, sealer: Sealer) -> None:
    """Have the staff of a workspace work through a day; turnovers are there by themselves."""
    day = open_day(session, now, album)
    clean(day)
    if day.homes:
        repair(day, sealer)
    session.flush()
    # What was told to residents has long been read: nobody is to find it in the post today.
    for mail in session.scalars(select(OutboxMail).where(OutboxMail.sent_at.is_(None))):
        mail.sent_at, mail.due_at = mail.written_at, None
