"""The tasks of projects: all of one, and how many of several are left."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.rules.enumerations import HoldReason, TaskKind, TaskState
from pms.upkeep.cancelled_tasks import STANDS
from pms.upkeep.models import Task

_ORDER = case(
    (Task.state == TaskState.DOING, 0),
    (Task.state == TaskState.ON_HOLD, 1),
    (Task.state == TaskState.TODO, 2),
    else_=3,
)


class ProjectTask(NamedTuple):
    """One task of a project, as its page lists it."""

    id: str
    title: str | None
    kind: TaskKind
    state: TaskState
    hold_reason: HoldReason | None
    due_on: date | None
    assignee_id: str | None
    unit_name: str | None
    cancelled_at: datetime | None


class TasksOfProject(NamedTuple):
    """How many tasks a project has, cancelled ones left out, and how many of them are not done."""

    total: int
    left: int


def project_tasks(session: Session, project_id: str) -> Sequence[ProjectTask]:
    """Return the tasks of a project: begun ones first, done and cancelled ones last."""
    rows = session.execute(
        select(
            Task.id,
            Task.title,
            Task.kind,
            Task.state,
            Task.hold_reason,
            Task.due_on,
            Task.assignee_id,
            Unit.name,
            Task.cancelled_at,
        )
        .outerjoin(Unit, and_(Unit.workspace_id == Task.workspace_id, Unit.id == Task.unit_id))
        .where(Task.project_id == project_id)
        .order_by(_ORDER, Task.due_on, Task.id)
    )
    return [ProjectTask._make(row) for row in rows]


def tasks_of_projects(session: Session, project_ids: Sequence[str]) -> Mapping[str, TasksOfProject]:
    """Return the counts of several projects; one without tasks has none."""
    is_left = case((Task.state == TaskState.DONE, 0), else_=1)
    rows = session.execute(
        select(Task.project_id, func.count(), func.sum(is_left))
        .where(Task.project_id.in_(project_ids), STANDS)
        .group_by(Task.project_id)
    )
    return {id_ or "": TasksOfProject(total, int(left)) for id_, total, left in rows}
