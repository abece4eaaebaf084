"""The file of a photo, for those who may see it."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.tenancy import refers_to
from pms.upkeep.models import MaintenanceRequest, Purchase, Task, UpkeepPhoto
from pms.upkeep.task_visibility import TaskVisibility


@dataclass(frozen=True, slots=True)
class PhotoVisibility:
    """Which pictures a person sees: those of their tasks, optionally of reports and receipts."""

    tasks: TaskVisibility
    actor: str
    sees_requests: bool = False
    """Those of all reports, besides the reports they made themselves."""
    sees_purchases: bool = False
    """Receipts of all purchases, besides those of purchases they logged themselves."""

    @classmethod
    def of_project(cls, project_id: str, actor: str) -> "PhotoVisibility":
        """Return what a contractor sees: tasks and reports of one project, and their own receipts."""
        return cls(TaskVisibility.of_project(project_id), actor, sees_requests=True)

    def holds(self, row: Any) -> bool:
        """Whether a picture, loaded with what it belongs to, is visible."""
        if row.task_id is not None:
            return self.tasks.holds(assignee_id=row.assignee_id, project_id=row.of_task)
        is_of_project = self.tasks.project_id in (None, row.of_request, row.of_purchase)
        if row.request_id is not None:
            return is_of_project and (self.sees_requests or row.reported_by == self.actor)
        return is_of_project and (self.sees_purchases or row.logged_by == self.actor)


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
        Purchase.logged_by,
    )
    .outerjoin(Task, refers_to(UpkeepPhoto.task_id, Task))
    .outerjoin(MaintenanceRequest, refers_to(UpkeepPhoto.request_id, MaintenanceRequest))
    .outerjoin(Purchase, refers_to(UpkeepPhoto.purchase_id, Purchase))
)


def upkeep_photo_file(
    session: Session, photo_id: str, width: int, visibility: PhotoVisibility
) -> str:
    """Return the file's key for a width; raise `NotFound` when invisible or without a file."""
    row = None
    if is_id(photo_id):
        row = session.execute(_FOUND.where(UpkeepPhoto.id == photo_id)).first()
    key: str | None = (
        row.files.get(str(width)) if row is not None and visibility.holds(row) else None
    )
    if key is None:
        raise no_such("photo", photo_id)
    return key


def own_photo_file(
    session: Session, taken_by: str, *, reservation_id: str, photo_id: str, width: int
) -> str:
    """Return the key of the file of one of them; `NotFound` for any other picture."""
    files = None
    if is_id(photo_id):
        files = session.scalar(
            select(UpkeepPhoto.files)
            .join(MaintenanceRequest, refers_to(UpkeepPhoto.request_id, MaintenanceRequest))
            .where(
                UpkeepPhoto.id == photo_id,
                UpkeepPhoto.taken_by == taken_by,
                MaintenanceRequest.reservation_id == reservation_id,
            )
        )
    key: str | None = files.get(str(width)) if files else None
    if key is None:
        raise no_such("photo", photo_id)
    return key
