"""Finds the finished cleanings that nobody has looked at yet."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import and_, exists
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.rules.enumerations import TaskKind, TaskState
from pms.upkeep.cancelled_tasks import STANDS
from pms.upkeep.models import Inspection, Task
from pms.upkeep.reach import Reach
from pms.upkeep.task_cards import TaskCard, asked_cards, read_cards

INSPECTED: Final = (TaskKind.TURNOVER, TaskKind.CLEANING)
"""What is inspected once it is done."""
WAITS_FOR: Final = timedelta(days=14)
"""A cleaning nobody looked at for so long counts as good: nothing requires an inspection."""
_MOST: Final = 100


def awaiting_inspection(
    session: Session, clock: Clock, reach: Reach | None = None
) -> Sequence[TaskCard]:
    """Return cleanings done lately and not looked at since, the soonest due first."""
    is_seen = exists().where(
        and_(
            Inspection.workspace_id == Task.workspace_id,
            Inspection.task_id == Task.id,
            Inspection.at >= Task.state_since,
        )
    )
    waiting = asked_cards().where(
        Task.kind.in_(INSPECTED),
        Task.state == TaskState.DONE,
        STANDS,
        Task.state_since >= clock.now() - WAITS_FOR,
        ~is_seen,
    )
    narrowed = (reach or Reach.everything()).narrow(waiting)
    ordered = narrowed.order_by(Task.due_on.is_(None), Task.due_on, Task.id)
    return read_cards(session.execute(ordered.limit(_MOST)).all())
