"""Checks what hours and purchases have in common: their day, and the task they were for."""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.upkeep.models import Task


def refuse_coming(field: str, day: date, today: date) -> None:
    """Raise `Refused` for a day that has not come yet."""
    if day > today:
        raise Refused("{field}: {day} is still to come; today is the latest.", field=field, day=day)


def task_of_project(session: Session, project_id: str, task_id: str | None) -> str | None:
    """Return the id of a task of the project, or nothing; raise `Refused` for another's."""
    if not task_id:
        return None
    home = select(Task.project_id).where(Task.id == task_id)
    if not is_id(task_id) or session.scalar(home) != project_id:
        raise Refused("taskId: there is no such task in this project.")
    return task_id
