"""Takes a picture of a task, a report or a purchase away."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import Subject, note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
from pms.upkeep.add_upkeep_photo import home_of
from pms.upkeep.models import UpkeepPhoto
from pms.upkeep.upkeep_photos import COLUMNS


def remove_upkeep_photo(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    photo_id: str,
    may_remove_others: bool = False,
) -> Subject:
    """Take the picture away and return what it was of; its stored files stay.

    Whoever took it may, and who may remove what others took; for anybody else it is not there.
    """
    row = None
    if is_id(photo_id):
        row = session.scalar(select(UpkeepPhoto).where(UpkeepPhoto.id == photo_id))
    if row is None or not (may_remove_others or row.taken_by == actor):
        raise NotFound("There is no picture '{photo_id}'.", photo_id=photo_id[:60])
    subject = next(
        (kind, id_) for kind, column in COLUMNS.items() if (id_ := getattr(row, column.key))
    )
    home = home_of(session, subject) or subject
    note_deed(
        session, clock, actor, Deed.UPKEEP_PHOTO_REMOVED, home, before={"upkeep_photo": row.id}
    )
    session.delete(row)
    session.flush()
    return subject
