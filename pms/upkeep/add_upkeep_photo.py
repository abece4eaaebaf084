"""Keeps a picture of a task, a report or a purchase."""

from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.audit import Subject, note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id, new_id
from pms.foundation.sent_once import is_new
from pms.rules.deeds import Deed
from pms.upkeep.known_task import task_to_change
from pms.upkeep.models import MaintenanceRequest, Purchase, Task, UpkeepPhoto
from pms.upkeep.reach import Reach
from pms.upkeep.upkeep_photos import COLUMNS, PURCHASE, REQUEST, TASK

MOST_PHOTOS: Final = 40
_TABLES: Final[dict[str, Any]] = {TASK: Task, REQUEST: MaintenanceRequest, PURCHASE: Purchase}


def add_upkeep_photo(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    subject: Subject,
    sized: SizedPhoto,
    key: str | None = None,
) -> str | None:
    """Store a picture and return its id, `None` when the same tap arrived before.

    `subject` is ("task" | "maintenance_request" | "purchase", id), which the caller met within
    their reach; `sized` comes from `size_photo`. Raises `Refused` when there are enough,
    `Collision` for a task that was cancelled.
    """
    home = _home(session, subject)
    if not is_new(session, clock, actor, key):
        return None
    kind, id_ = subject
    _refuse_too_many(session, subject)
    row = UpkeepPhoto(
        id=new_id(),
        width=sized.width,
        height=sized.height,
        files=dict(sized.files),
        taken_at=clock.now(),
        taken_by=actor,
        **{COLUMNS[kind].key: id_},
    )
    session.add(row)
    note_deed(session, clock, actor, Deed.UPKEEP_PHOTO_ADDED, home, after={"upkeep_photo": row.id})
    session.flush()
    return row.id


def home_of(session: Session, subject: Subject) -> Subject | None:
    """Return whose history tells of a picture: a receipt's is its project's."""
    kind, id_ = subject
    model = _TABLES[kind]
    told = model.project_id if kind == PURCHASE else model.id
    found = session.scalar(select(told).where(model.id == id_)) if is_id(id_) else None
    if found is None:
        return None
    return ("maintenance_project" if kind == PURCHASE else kind, found)


def _home(session: Session, subject: Subject) -> Subject:
    home = home_of(session, subject)
    if home is None:
        raise NotFound("There is no '{id}' to take a picture of.", id=subject[1][:60])
    if subject[0] == TASK:
        # Locked, so that nobody cancels it until the picture stands.
        task_to_change(session, subject[1], Reach.everything())
    return home


def _refuse_too_many(session: Session, subject: Subject) -> None:
    kind, id_ = subject
    taken = select(func.count()).select_from(UpkeepPhoto).where(COLUMNS[kind] == id_)
    if (session.scalar(taken) or 0) >= MOST_PHOTOS:
        raise Refused("photo: {most} pictures are here already, the most.", most=MOST_PHOTOS)
