"""Tells somebody whose tap comes late what others did with the task meanwhile."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import Collision
from pms.foundation.phrases import Actor
from pms.rules.enumerations import HoldReason, TaskState
from pms.upkeep.models import TaskMove


class MovedMeanwhileError(Collision):
    """Somebody else moved the task since it was seen: who, where to and why, when, how often by now."""

    def __init__(
        self,
        met: Collision,
        *,
        by: str,
        state: TaskState,
        reason: HoldReason | None,
        at: datetime,
        moves: int,
    ) -> None:
        super().__init__(met.template, **met.values)
        self.by, self.state, self.reason, self.at, self.moves = by, state, reason, at, moves


def refuse_if_moved(session: Session, own: str, task_id: str, seen_moves: int, moves: int) -> None:
    """Raise `MovedMeanwhileError` if anybody but oneself moved the task since it was seen.

    Whoever moved it twice, and saw no answer to the first, collides with nobody.
    """
    newest = (
        select(TaskMove.by, TaskMove.to_state, TaskMove.hold_reason, TaskMove.at)
        .where(TaskMove.task_id == task_id)
        .order_by(TaskMove.id.desc())
        .limit(max(moves - seen_moves, 1))
    )
    for by, state, reason, at in session.execute(newest):
        if by != own:
            met = Collision(
                "state: {by} moved this task to {state} on {at}; look at it again.",
                by=Actor(by),
                state=state,
                at=at,
            )
            raise MovedMeanwhileError(met, by=by, state=state, reason=reason, at=at, moves=moves)
