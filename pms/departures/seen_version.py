"""Refuses an edit of a notice that changed since it was looked at, and says who changed it."""

from sqlalchemy.orm import Session

from pms.departures.models import MoveOutNotice
from pms.foundation.errors import Collision
from pms.foundation.phrases import Actor
from pms.rules.days import JAPAN


def refuse_stale(session: Session, notice: MoveOutNotice, version: int | None) -> None:
    """Raise `Collision` naming who changed what and when, unless the version is the one seen."""
    if version is None or version == notice.version:
        return
    at = notice.written_at.astimezone(JAPAN)
    raise Collision(
        "version: the notice was seen as version {seen} and is now version {current}:"
        " {person} set the move-out day to {move_out_on} on {at:%Y-%m-%d at %H:%M} in"
        " Japan. Look at it again.",
        seen=version,
        current=notice.version,
        person=Actor(notice.written_by),
        move_out_on=notice.move_out_on,
        at=at,
    )
