"""Says which step of a project's work a move of one of its tasks is, as a resident is told."""

from typing import Final

from sqlalchemy import and_, bindparam, select

from pms.foundation.prepared import PreparedInWorkspace
from pms.foundation.prepared_writing import Writing
from pms.rules.enumerations import TaskState, TicketStep
from pms.upkeep.models import Task, TaskMove

_BEGUN: Final = PreparedInWorkspace(
    select(TaskMove.id)
    .join(Task, and_(Task.workspace_id == TaskMove.workspace_id, Task.id == TaskMove.task_id))
    .where(Task.project_id == bindparam("project_id"), TaskMove.to_state == TaskState.DOING)
    .limit(1)
)


def step_of_move(
    session: Writing, project_id: str, was: TaskState, to: TaskState
) -> TicketStep | None:
    """Return the step: begun once, waiting, begun again; nothing else of a task is told.

    The move itself is not stored yet.
    """
    if to is TaskState.ON_HOLD:
        return TicketStep.WAITING if was is not to else None
    if to is not TaskState.DOING:
        return None
    if was is TaskState.ON_HOLD or not _has_begun(session, project_id):
        return TicketStep.STARTED
    return None


def _has_begun(session: Writing, project_id: str) -> bool:
    return bool(_BEGUN.all(session, project_id=project_id))
