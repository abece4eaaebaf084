"""How many tasks stand in each state; asked at every tap on a card."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Final

from sqlalchemy import bindparam, func, or_, select

from pms.foundation.db import Instant
from pms.foundation.prepared import PreparedInWorkspace
from pms.foundation.prepared_writing import Writing, session_of
from pms.rules.enumerations import TaskState
from pms.upkeep.cancelled_tasks import STANDS
from pms.upkeep.models import Task
from pms.upkeep.reach import Reach
from pms.upkeep.task_filter import TaskFilter, current_since

_NO_FILTER: Final = TaskFilter()
_BOARD: Final = PreparedInWorkspace(
    select(Task.state, func.count())
    .where(
        STANDS,
        or_(
            Task.state != TaskState.DONE,
            Task.state_since >= bindparam("since", type_=Instant()),
        ),
    )
    .group_by(Task.state)
)


def task_counts(
    session: Writing, reach: Reach, asked: TaskFilter, today: date
) -> Mapping[TaskState, int]:
    """Return how many tasks each column holds."""
    if reach.is_everything and asked == _NO_FILTER:
        rows = _BOARD.all(session, since=_written(current_since(today)))
        found = {row[0]: row[1] for row in rows}
    else:
        question = asked.narrow(select(Task.state, func.count()), reach, today)
        asked_now = session_of(session).execute(question.group_by(Task.state))
        found = {row[0]: row[1] for row in asked_now}
    return {state: found.get(state, 0) for state in TaskState}


def _written(instant: datetime) -> str:
    """An instant as both databases read it from text."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
