"""Photos of tasks and problems."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.audit import Subject, note_audit_event
from pms.foundation.errors import NotFound, Refused, no_such
from pms.foundation.idempotency import is_new
from pms.foundation.ids import is_id, new_id
from pms.foundation.prepared import one_of
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.upkeep.models import MaintenanceRequest, Purchase, Task, UpkeepPhoto
from pms.upkeep.task_visibility import TaskVisibility, task_to_change

TASK: Final = "task"
REQUEST: Final = "maintenance_request"
PURCHASE: Final = "purchase"
COLUMNS: Final[Mapping[str, InstrumentedAttribute[str | None]]] = {
    TASK: UpkeepPhoto.task_id,
    REQUEST: UpkeepPhoto.request_id,
    PURCHASE: UpkeepPhoto.purchase_id,
}


class TakenPhoto(NamedTuple):
    """A picture as a page shows it; lists use the smallest width."""

    id: str
    width: int
    height: int
    taken_at: datetime
    taken_by: str


def photos_of(
    session: Session, kind: str, ids: Iterable[str]
) -> Mapping[str, Sequence[TakenPhoto]]:
    """Return the pictures of tasks, reports or purchases by their subject, oldest first.

    `kind` is the name of their table. The caller has checked that the subjects are visible.
    """
    column = COLUMNS[kind]
    rows = session.execute(
        select(
            column,
            UpkeepPhoto.id,
            UpkeepPhoto.width,
            UpkeepPhoto.height,
            UpkeepPhoto.taken_at,
            UpkeepPhoto.taken_by,
        )
        .where(one_of(column, ids))
        .order_by(UpkeepPhoto.taken_at, UpkeepPhoto.id)
    )
    found: dict[str, list[TakenPhoto]] = defaultdict(list)
    for subject_id, *photo in rows:
        found[subject_id or ""].append(TakenPhoto._make(photo))
    return found


MOST_PHOTOS: Final = 40
_TABLES: Final[dict[str, Any]] = {TASK: Task, REQUEST: MaintenanceRequest, PURCHASE: Purchase}


def add_upkeep_photo(
    work: Work, *, subject: Subject, sized: SizedPhoto, key: str | None = None
) -> str | None:
    """Store a picture and return its id; `None` when the same form arrived before.

    `subject` is ("task" | "maintenance_request" | "purchase", id), which the caller has checked to
    be visible; `sized` comes from `size_photo`. Raises `Refused` when there are too many,
    `Collision` for a cancelled task.
    """
    session = work.session
    home = home_of(session, subject)
    if home is None:
        raise NotFound("There is no '{id}' to add a photo to.", id=subject[1][:60])
    if subject[0] == TASK:
        # Locked, so that nobody cancels it until the picture is stored.
        task_to_change(session, subject[1], TaskVisibility.everything())
    if not is_new(work.session, work.clock, work.actor, key):
        return None
    kind, id_ = subject
    _refuse_too_many(work.session, subject)
    row = UpkeepPhoto(
        id=new_id(),
        width=sized.width,
        height=sized.height,
        files=dict(sized.files),
        taken_at=work.clock.now(),
        taken_by=work.actor,
        **{COLUMNS[kind].key: id_},
    )
    work.session.add(row)
    note_audit_event(work, AuditEvent.UPKEEP_PHOTO_ADDED, home, after={"upkeep_photo": row.id})
    work.session.flush()
    return row.id


def home_of(session: Session, subject: Subject) -> Subject | None:
    """Return whose history records a picture; a receipt's is its project's."""
    kind, id_ = subject
    model = _TABLES[kind]
    column = model.project_id if kind == PURCHASE else model.id
    found = session.scalar(select(column).where(model.id == id_)) if is_id(id_) else None
    if found is None:
        return None
    return ("maintenance_project" if kind == PURCHASE else kind, found)


def _refuse_too_many(session: Session, subject: Subject) -> None:
    kind, id_ = subject
    taken = select(func.count()).select_from(UpkeepPhoto).where(COLUMNS[kind] == id_)
    if (session.scalar(taken) or 0) >= MOST_PHOTOS:
        raise Refused(
            "photo: there are already {most} photos, the most possible.", most=MOST_PHOTOS
        )


def photos_of_requests(session: Session, project_id: str) -> Sequence[TakenPhoto]:
    """Return the pictures of a project's reports, those of the oldest report first."""
    reports = select(MaintenanceRequest.id).where(MaintenanceRequest.project_id == project_id)
    ids = session.scalars(reports.order_by(MaintenanceRequest.reported_at)).all()
    found = photos_of(session, REQUEST, ids)
    return [photo for report_id in ids for photo in found.get(report_id, ())]


def own_photos(session: Session, taken_by: str, request_id: str | None) -> Sequence[TakenPhoto]:
    """Return the pictures a resident took of one report, oldest first, without those of others."""
    if request_id is None:
        return ()
    taken = photos_of(session, REQUEST, [request_id]).get(request_id, ())
    return [photo for photo in taken if photo.taken_by == taken_by]


def remove_upkeep_photo(work: Work, *, photo_id: str, may_remove_others: bool = False) -> Subject:
    """Remove the picture and return its subject; its stored files stay.

    Allowed for the person who took it and for those who may remove other people's; `NotFound` for
    anyone else.
    """
    row = None
    if is_id(photo_id):
        row = work.session.scalar(select(UpkeepPhoto).where(UpkeepPhoto.id == photo_id))
    if row is None or not (may_remove_others or row.taken_by == work.actor):
        raise no_such("photo", photo_id)
    subject = next(
        (kind, id_) for kind, column in COLUMNS.items() if (id_ := getattr(row, column.key))
    )
    home = home_of(work.session, subject) or subject
    note_audit_event(work, AuditEvent.UPKEEP_PHOTO_REMOVED, home, before={"upkeep_photo": row.id})
    work.session.delete(row)
    work.session.flush()
    return subject
