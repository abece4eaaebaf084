"""One task with everything that was done about it."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.stored_forms import readable_stored
from pms.foundation.tenancy import refers_to
from pms.rules.enumerations import HoldReason, TaskKind, TaskState
from pms.upkeep.models import (
    FailedPoint,
    Inspection,
    MaintenanceProject,
    Task,
    TaskItem,
    TaskMove,
    TaskNote,
)
from pms.upkeep.task_visibility import TaskVisibility


class TaskPoint(NamedTuple):
    """One point of the checklist."""

    id: str
    text: Bilingual
    ticked_at: datetime | None
    ticked_by: str | None


class WrittenNote(NamedTuple):
    """A note on the task."""

    text: str
    at: datetime
    by: str


class TaskStep(NamedTuple):
    """A change of the task's state."""

    was: TaskState
    state: TaskState
    hold_reason: HoldReason | None
    at: datetime
    by: str


class TaskInspection(NamedTuple):
    """An inspection of the finished work."""

    has_passed: bool
    note: str | None
    failed_points: Sequence[FailedPoint] | None
    """Points that were opened again, with their texts; `None` where they cannot be read."""
    at: datetime
    by: str


class TaskPlace(NamedTuple):
    """The place of the work."""

    building_id: str
    building: Bilingual
    address: Bilingual
    unit_id: str | None
    unit_name: str | None


class TaskProject(NamedTuple):
    """The project the task is part of."""

    id: str
    number: int
    title: str


class TaskRecord(NamedTuple):
    """One task as its page shows it."""

    id: str
    kind: TaskKind
    title: str | None
    note: str | None
    state: TaskState
    hold_reason: HoldReason | None
    moves: int
    state_since: datetime
    state_by: str
    place: TaskPlace
    project: TaskProject | None
    visit_id: str | None
    leaving_id: str | None
    opens_on: date | None
    due_on: date | None
    released_at: datetime | None
    cancelled_at: datetime | None
    assignee_id: str | None
    created_at: datetime
    created_by: str
    version: int
    points: Sequence[TaskPoint]
    notes: Sequence[WrittenNote]
    steps: Sequence[TaskStep]
    inspections: Sequence[TaskInspection]

    @property
    def ticked_count(self) -> int:
        """The number of ticked points."""
        return sum(point.ticked_at is not None for point in self.points)

    @property
    def rework(self) -> TaskInspection | None:
        """The inspection that sent the task back, until it is done again."""
        latest = self.inspections[0] if self.inspections else None
        is_back = latest is not None and not latest.has_passed and self.state is not TaskState.DONE
        return latest if is_back else None

    @property
    def failed_ids(self) -> Collection[str]:
        """The points the inspector opened again that are not ticked since."""
        rework = self.rework
        failed = {point["id"] for point in (rework and rework.failed_points) or ()}
        return {point.id for point in self.points if point.id in failed and point.ticked_at is None}


_TASKS = (
    select(Task, Building, Unit.name, MaintenanceProject.number, MaintenanceProject.title)
    .join(Building, refers_to(Task.building_id, Building))
    .outerjoin(Unit, refers_to(Task.unit_id, Unit))
    .outerjoin(MaintenanceProject, refers_to(Task.project_id, MaintenanceProject))
)


def task_record(session: Session, task_id: str, visibility: TaskVisibility) -> TaskRecord:
    """Return one task; raise `NotFound` for an unknown or invisible one."""
    found = None
    if is_id(task_id):
        found = session.execute(visibility.narrow(_TASKS.where(Task.id == task_id))).first()
    if found is None:
        raise no_such("task", task_id)
    task, building, unit_name, number, title = found
    written = select(TaskNote.text, TaskNote.at, TaskNote.by).where(TaskNote.task_id == task.id)
    notes = [
        WrittenNote(*_row_values(row)) for row in session.execute(written.order_by(TaskNote.id))
    ]
    moved = select(
        TaskMove.from_state, TaskMove.to_state, TaskMove.hold_reason, TaskMove.at, TaskMove.by
    ).where(TaskMove.task_id == task.id)
    newest_first = moved.order_by(TaskMove.at.desc(), TaskMove.id.desc())
    steps = [TaskStep(*_row_values(row)) for row in session.execute(newest_first)]
    return TaskRecord(
        id=task.id,
        kind=task.kind,
        title=task.title,
        note=task.note,
        state=task.state,
        hold_reason=task.hold_reason,
        moves=task.moves,
        state_since=task.state_since,
        state_by=task.state_by,
        place=_build_place(task, building, unit_name),
        project=TaskProject(task.project_id, number, title) if task.project_id else None,
        visit_id=task.visit_id,
        leaving_id=task.leaving_id,
        opens_on=task.opens_on,
        due_on=task.due_on,
        released_at=task.released_at,
        cancelled_at=task.cancelled_at,
        assignee_id=task.assignee_id,
        created_at=task.created_at,
        created_by=task.created_by,
        version=task.version,
        points=_read_points(session, task.id),
        notes=notes,
        steps=steps,
        inspections=_read_inspections(session, task.id),
    )


def _build_place(task: Task, building: Building, unit_name: str | None) -> TaskPlace:
    return TaskPlace(
        building.id,
        Bilingual(building.name, building.name_en),
        Bilingual(building.address, building.address_en),
        task.unit_id,
        unit_name,
    )


def _read_points(session: Session, task_id: str) -> Sequence[TaskPoint]:
    rows = session.execute(
        select(
            TaskItem.id, TaskItem.text_ja, TaskItem.text_en, TaskItem.ticked_at, TaskItem.ticked_by
        )
        .where(TaskItem.task_id == task_id)
        .order_by(TaskItem.position, TaskItem.id)
    )
    return [TaskPoint(id_, Bilingual(ja, en), at, by) for id_, ja, en, at, by in rows]


def _read_inspections(session: Session, task_id: str) -> Sequence[TaskInspection]:
    question = select(
        Inspection.has_passed,
        Inspection.note,
        Inspection.failed_points,
        Inspection.at,
        Inspection.by,
    ).where(Inspection.task_id == task_id)
    newest_first = question.order_by(Inspection.at.desc(), Inspection.id.desc())
    return [
        TaskInspection(has_passed, note, readable_stored(list[FailedPoint], points), at, by)
        for has_passed, note, points, at, by in session.execute(newest_first)
    ]


def _row_values(row: Any) -> tuple[Any, ...]:
    return tuple(row)
