"""Refuses an edit of a notice that changed since it was looked at, and says who changed it."""

from sqlalchemy.orm import Session

from pms.departures.models import MoveOutNotice
from pms.foundation.errors import Collision
from pms.rules.days import JAPAN


def refuse_stale(session: Session, notice: MoveOutNotice, version: int | None) -> None:
    """Raise `Collision` naming who changed what and when, unless the version is the one seen."""
    if version is None or version == notice.version:
        return
    at = notice.written_at.astimezone(JAPAN)
    raise Collision(
        f"version: the notice was seen as version {version} and is now version {notice.version}:"
        f" {notice.written_by} set the move-out day to {notice.move_out_on}"
        f" on {at:%Y-%m-%d at %H:%M} in Japan. Look at it again."
    )
