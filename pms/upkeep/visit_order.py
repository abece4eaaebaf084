"""The order of a visit's tasks."""

from collections.abc import Sequence
from typing import Literal

from pms.foundation.errors import NotFound, Refused
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.upkeep.models import Task
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.visit_tasks import note_visit, number_tasks, take_out
from pms.upkeep.visits import lock_visit, tasks_in_order

Way = Literal["up", "down"]


def remove_from_visit(
    work: Work, *, visit_id: str, task_id: str, visibility: TaskVisibility
) -> None:
    """Remove a task from a visit; its assignee stays.

    The last one cannot be removed: the visit is cancelled instead. Raises `NotFound` for an
    invisible visit and for a task that is not part of it.
    """
    visit = lock_visit(work.session, visit_id, visibility)
    standing = tasks_in_order(work.session, visit_id)
    leaving = _find_task(standing, task_id)
    if len(standing) == 1:
        raise Refused("taskId: this is the only task. Cancel the visit instead.")
    take_out(work, tasks=[leaving])
    number_tasks([task for task in standing if task is not leaving])
    visit.version += 1
    note_visit(work, AuditEvent.VISIT_CHANGED, visit, count=len(standing) - 1)
    work.session.flush()


def order_visit(
    work: Work, *, visit_id: str, task_id: str, way: Way, visibility: TaskVisibility
) -> None:
    """Move a task of a visit one place up or down; at the end of the list nothing changes.

    Raises `NotFound` for an invisible visit and for a task that is not part of it.
    """
    visit = lock_visit(work.session, visit_id, visibility)
    standing = tasks_in_order(work.session, visit_id)
    place = standing.index(_find_task(standing, task_id))
    other = place + (-1 if way == "up" else 1)
    if not 0 <= other < len(standing):
        return
    standing[place], standing[other] = standing[other], standing[place]
    number_tasks(standing)
    visit.version += 1
    note_visit(work, AuditEvent.VISIT_CHANGED, visit, count=len(standing))
    work.session.flush()


def _find_task(tasks: Sequence[Task], task_id: str) -> Task:
    found = next((task for task in tasks if task.id == task_id), None)
    if found is None:
        raise NotFound("This visit has no task '{task_id}'.", task_id=task_id[:60])
    return found
