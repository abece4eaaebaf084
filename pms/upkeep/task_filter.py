"""Narrows the tasks of a board or a list to a day, a building, a person, a kind."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final, TypeVarTuple

from sqlalchemy import ColumnElement, Select, and_, func, or_

from pms.rules.days import JAPAN
from pms.rules.enumerations import TaskKind, TaskState
from pms.upkeep.cancelled_tasks import STANDS
from pms.upkeep.models import Task
from pms.upkeep.reach import Reach

Columns = TypeVarTuple("Columns")
RECENT_DAYS: Final = 7
"""How long a done task stays on the board."""
NOBODY: Final = "nobody"


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """What is asked of the tasks within reach; `person_id` may be `NOBODY`."""

    on: date | None = None
    building_id: str | None = None
    person_id: str | None = None
    kind: TaskKind | None = None

    def narrow(self, question: Select[*Columns], reach: Reach, today: date) -> Select[*Columns]:
        """Return a question about tasks that meets only those asked for, the old ones left out."""
        return reach.narrow(question).where(*self._conditions(today))

    def _conditions(self, today: date) -> list[ColumnElement[bool]]:
        found = [STANDS, _is_on(self.on, today) if self.on else _is_current(today)]
        if self.building_id:
            found.append(Task.building_id == self.building_id)
        if self.kind:
            found.append(Task.kind == self.kind)
        if self.person_id == NOBODY:
            found.append(Task.assignee_id.is_(None))
        elif self.person_id:
            found.append(Task.assignee_id == self.person_id)
        return found


def current_since(today: date) -> datetime:
    """Return since when a task that is done still stands on the board."""
    return _begin_of(today - timedelta(days=RECENT_DAYS))


def _is_current(today: date) -> ColumnElement[bool]:
    return or_(Task.state != TaskState.DONE, Task.state_since >= current_since(today))


def _is_on(day: date, today: date) -> ColumnElement[bool]:
    """What can be done on a day, or was done on it; what is late, begun or undated is today's."""
    is_done = Task.state == TaskState.DONE
    was_done = and_(
        is_done,
        Task.state_since >= _begin_of(day),
        Task.state_since < _begin_of(day + timedelta(days=1)),
    )
    begins = func.coalesce(Task.opens_on, Task.due_on)
    if day == today:
        can_be_done = or_(begins.is_(None), begins <= day, Task.state != TaskState.TODO)
    else:
        can_be_done = and_(begins <= day, or_(Task.due_on.is_(None), Task.due_on >= day))
    return or_(was_done, and_(~is_done, can_be_done))


def _begin_of(day: date) -> datetime:
    return datetime.combine(day, time.min, JAPAN)
