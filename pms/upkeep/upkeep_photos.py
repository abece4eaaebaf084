"""The pictures taken of reports, tasks and purchases: which there are, and who may see one."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.upkeep.models import MaintenanceRequest, Purchase, Task, UpkeepPhoto
from pms.upkeep.reach import Reach

TASK: Final = "task"
REQUEST: Final = "maintenance_request"
PURCHASE: Final = "purchase"
COLUMNS: Final[Mapping[str, InstrumentedAttribute[str | None]]] = {
    TASK: UpkeepPhoto.task_id,
    REQUEST: UpkeepPhoto.request_id,
    PURCHASE: UpkeepPhoto.purchase_id,
}


class TakenPhoto(NamedTuple):
    """A picture as a page shows it; the smallest width stands in lists."""

    id: str
    width: int
    height: int
    taken_at: datetime
    taken_by: str


@dataclass(frozen=True, slots=True)
class PhotoReach:
    """Which pictures somebody sees: those of their tasks, and perhaps reports and receipts."""

    tasks: Reach
    actor: str
    sees_requests: bool = False
    """Every report's, beside those of the reports they made themselves."""
    sees_purchases: bool = False

    @classmethod
    def of_project(cls, project_id: str, actor: str) -> "PhotoReach":
        """Return the reach of a contractor: the tasks, reports and receipts of one project."""
        return cls(Reach.of_project(project_id), actor, sees_requests=True, sees_purchases=True)

    def holds(self, row: Any) -> bool:
        """Tell whether a picture, found with what it belongs to, is within reach."""
        if row.task_id is not None:
            return self.tasks.holds(assignee_id=row.assignee_id, project_id=row.of_task)
        is_of_project = self.tasks.project_id in (None, row.of_request, row.of_purchase)
        if row.request_id is not None:
            return is_of_project and (self.sees_requests or row.reported_by == self.actor)
        return is_of_project and self.sees_purchases


_FOUND = (
    select(
        UpkeepPhoto.files,
        UpkeepPhoto.task_id,
        UpkeepPhoto.request_id,
        Task.assignee_id,
        Task.project_id.label("of_task"),
        MaintenanceRequest.project_id.label("of_request"),
        MaintenanceRequest.reported_by,
        Purchase.project_id.label("of_purchase"),
    )
    .outerjoin(
        Task,
        and_(Task.workspace_id == UpkeepPhoto.workspace_id, Task.id == UpkeepPhoto.task_id),
    )
    .outerjoin(
        MaintenanceRequest,
        and_(
            MaintenanceRequest.workspace_id == UpkeepPhoto.workspace_id,
            MaintenanceRequest.id == UpkeepPhoto.request_id,
        ),
    )
    .outerjoin(
        Purchase,
        and_(
            Purchase.workspace_id == UpkeepPhoto.workspace_id,
            Purchase.id == UpkeepPhoto.purchase_id,
        ),
    )
)


def photos_of(
    session: Session, kind: str, ids: Iterable[str]
) -> Mapping[str, Sequence[TakenPhoto]]:
    """Return the pictures of tasks, reports or purchases by whose they are, the oldest first.

    `kind` is the name of their table. Whoever asks has met them within their own reach.
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


def upkeep_photo_file(session: Session, photo_id: str, width: int, reach: PhotoReach) -> str:
    """Return the key of the file of a width; `NotFound` outside the reach, or without a file."""
    row = None
    if is_id(photo_id):
        row = session.execute(_FOUND.where(UpkeepPhoto.id == photo_id)).first()
    key: str | None = row.files.get(str(width)) if row is not None and reach.holds(row) else None
    if key is None:
        raise NotFound("There is no picture '{photo_id}'.", photo_id=photo_id[:60])
    return key
