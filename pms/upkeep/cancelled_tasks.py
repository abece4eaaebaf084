"""Tells a task that was cancelled, which no state of its own says.

It is done as well: whatever counts open work finds none, and a list of what was done asks besides
for tasks that stand. A fifth state would have to be known by everything that counts: boards,
offline pages on phones that are out of reach, contractors' links. `cancelled_at` tells it and not
two equal instants: instants are whole seconds, and two deeds may share one.

What somebody logged hours, purchases or pictures about is finished, not cancelled: it cost
something. The cleaning of a departure to come is not cancelled either; the next change would make
it again.
"""

from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement

from pms.foundation.errors import Collision
from pms.foundation.phrases import Actor
from pms.upkeep.models import Task

STANDS: Final[ColumnElement[bool]] = Task.cancelled_at.is_(None)
"""Whether a task was not cancelled."""


class CancelledMeanwhileError(Collision):
    """Somebody cancelled the task since it was seen: who, and when."""

    def __init__(self, by: str, at: datetime) -> None:
        super().__init__(
            "state: {by} cancelled this task on {at}; nothing is left to do.", by=Actor(by), at=at
        )
        self.by, self.at = by, at


def refuse_if_cancelled(task: Task) -> None:
    """Raise `Collision` for a task that was cancelled."""
    if task.cancelled_at is not None:
        raise CancelledMeanwhileError(task.state_by, task.cancelled_at)
