"""Takes a task in hand to change it: locked, as it stands, within somebody's reach."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.upkeep.cancelled_tasks import refuse_if_cancelled
from pms.upkeep.models import Task
from pms.upkeep.reach import Reach


def task_to_change(session: Session, task_id: str, reach: Reach) -> Task:
    """Return the task, locked, as `task_in_hand` does; raise `Collision` for a cancelled one."""
    task = task_in_hand(session, task_id, reach)
    refuse_if_cancelled(task)
    return task


def task_in_hand(session: Session, task_id: str, reach: Reach) -> Task:
    """Return the task, locked; raise `NotFound` for one that is nobody's here or out of reach."""
    found = None
    if is_id(task_id):
        session.flush()
        question = reach.narrow(select(Task).where(Task.id == task_id))
        found = session.scalar(question.with_for_update().execution_options(populate_existing=True))
    if found is None:
        raise no_task(task_id)
    return found


def no_task(task_id: str) -> NotFound:
    """Return the refusal of a task that is not here."""
    return NotFound("There is no task '{task_id}'.", task_id=task_id[:60])
