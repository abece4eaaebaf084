"""Brings a cancelled task back."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision
from pms.rules.deeds import Deed
from pms.rules.enumerations import TaskState
from pms.upkeep.cancel_task import refuse_if_others
from pms.upkeep.known_task import task_in_hand
from pms.upkeep.models import Task, TaskMove
from pms.upkeep.reach import Reach
from pms.upkeep.upkeep_in_hand import project_of_task, refuse_if_over


def restore_task(session: Session, clock: Clock, actor: str, *, task_id: str, reach: Reach) -> None:
    """Put a cancelled task back where its last step had left it; any other is left as it is.

    It is planned anew: its visit went without it. Raises `Refused` for a task that somebody on
    site did not add, and while its project is over.
    """
    project = project_of_task(session, task_id)
    task = task_in_hand(session, task_id, reach)
    if task.cancelled_at is None:
        return
    refuse_if_others(task, actor, reach)
    if task.project_id != (project.id if project else None):
        raise Collision("version: somebody else changed this task meanwhile; look at it again.")
    if project is not None:
        refuse_if_over(project)
    _put_back(session, task)
    task.cancelled_at = None
    task.version += 1
    after = {"state": task.state.value}
    note_deed(session, clock, actor, Deed.TASK_RESTORED, ("task", task.id), after=after)
    session.flush()


def _put_back(session: Session, task: Task) -> None:
    steps = select(TaskMove).where(TaskMove.task_id == task.id)
    last = session.scalar(steps.order_by(TaskMove.id.desc()).limit(1))
    if last is None:
        task.state, task.state_since, task.state_by = (
            TaskState.TODO,
            task.created_at,
            task.created_by,
        )
        return
    task.state, task.hold_reason = last.to_state, last.hold_reason
    task.state_since, task.state_by = last.at, last.by
