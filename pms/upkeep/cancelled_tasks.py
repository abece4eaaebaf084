"""Tells a task that was cancelled: it was closed and released in the same moment.

No state of its own says so: whatever counts open work finds none, and a list of what was done
asks besides for tasks that stand.
"""

from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, or_

from pms.foundation.errors import Collision
from pms.foundation.phrases import Actor
from pms.rules.enumerations import TaskState
from pms.upkeep.models import Task

STANDS: Final[ColumnElement[bool]] = or_(
    Task.state != TaskState.DONE,
    Task.released_at.is_(None),
    Task.released_at != Task.state_since,
)
"""Whether a task was not cancelled."""


def is_cancelled(state: TaskState, state_since: datetime, released_at: datetime | None) -> bool:
    """Whether a task of these was cancelled."""
    return state is TaskState.DONE and released_at == state_since


def cancelled_meanwhile(by: str, at: datetime) -> Collision:
    """Return the refusal of a task that somebody cancelled since it was seen: who, and when."""
    return Collision(
        "state: {by} cancelled this task on {at}; nothing is left to do.", by=Actor(by), at=at
    )


def refuse_if_cancelled(task: Task) -> None:
    """Raise `Collision` for a task that was cancelled."""
    if is_cancelled(task.state, task.state_since, task.released_at):
        raise cancelled_meanwhile(task.state_by, task.state_since)
