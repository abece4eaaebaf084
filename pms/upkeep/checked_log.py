"""Checks what hours and purchases have in common: their day, and the task they were for."""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.upkeep.cancelled_tasks import refuse_if_cancelled
from pms.upkeep.models import Task


def refuse_coming(field: str, day: date, today: date) -> None:
    """Raise `Refused` for a day that has not come yet."""
    if day > today:
        raise Refused("{field}: {day} is still to come; today is the latest.", field=field, day=day)


def task_of_project(session: Session, project_id: str, task_id: str | None) -> str | None:
    """Return the id of a task of the project, or nothing; raise `Refused` for another's.

    Nothing is logged about a task that was cancelled: that is a `Collision`.
    """
    if not task_id:
        return None
    wanted = select(Task).where(Task.id == task_id, Task.project_id == project_id)
    # Locked, so that nobody cancels it until the log stands.
    locked = wanted.with_for_update().execution_options(populate_existing=True)
    task = session.scalar(locked) if is_id(task_id) else None
    if task is None:
        raise Refused("taskId: there is no such task in this project.")
    refuse_if_cancelled(task)
    return task_id
