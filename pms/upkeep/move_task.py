"""Moves a task into another state: started, on hold, done, or back."""

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select

from pms.catalogue.checked_texts import checked_text
from pms.foundation.audit_quickly import note_quickly
from pms.foundation.clock import Clock
from pms.foundation.ids import is_id, new_id
from pms.foundation.prepared import PreparedInWorkspace
from pms.foundation.prepared_writes import PreparedInsert, PreparedUpdate
from pms.foundation.prepared_writing import Writing, session_of
from pms.foundation.sent_once import is_new
from pms.rules.deeds import Deed
from pms.rules.enumerations import HoldReason, TaskState
from pms.upkeep.cancelled_tasks import CancelledMeanwhileError
from pms.upkeep.known_task import no_task
from pms.upkeep.models import Task, TaskMove
from pms.upkeep.reach import Reach
from pms.upkeep.seen_moves import refuse_if_moved
from pms.upkeep.step_of_move import step_of_move
from pms.upkeep.tell_tickets import tell_tickets
from pms.upkeep.write_task_note import LONGEST_NOTE, write_task_note

_STANDING: Final = PreparedInWorkspace(
    select(
        Task.id,
        Task.state,
        Task.hold_reason,
        Task.moves,
        Task.state_since,
        Task.state_by,
        Task.assignee_id,
        Task.project_id,
        Task.cancelled_at,
    )
    .where(Task.id == bindparam("task_id"))
    .with_for_update()
)
_WRITE: Final = PreparedUpdate(Task, "state", "hold_reason", "moves", "state_since", "state_by")
_KEEP_MOVE: Final = PreparedInsert(
    TaskMove, "task_id", "from_state", "to_state", "hold_reason", "at", "by"
)


class MovedTask(NamedTuple):
    """Where a task stands after a tap, and where it stood before it."""

    id: str
    state: TaskState
    hold_reason: HoldReason | None
    moves: int
    at: datetime
    by: str
    was: TaskState
    was_reason: HoldReason | None
    """Why it was on hold before, if it was."""
    project_id: str | None
    is_changed: bool
    cancelled_at: datetime | None = None


def move_task(
    session: Writing,
    clock: Clock,
    actor: str,
    *,
    task_id: str,
    to: TaskState,
    reach: Reach,
    seen_moves: int | None = None,
    hold_reason: HoldReason | None = None,
    note: str | None = None,
    key: str | None = None,
) -> MovedTask:
    """Write the state with who and when, and return where the task stands.

    A task that stands there already is left as it is, and so is one whose tap arrived before,
    told by its key. `seen_moves` is the count of moves that was seen: if somebody else has moved
    the task elsewhere since, or cancelled it, `Collision` tells who, what and when. A reason
    belongs to a task on hold alone. Raises `NotFound` for a task out of reach.
    """
    task = _standing(session, task_id, reach)
    if not is_new(session, clock, actor, key):
        return task
    if task.cancelled_at is not None:
        raise CancelledMeanwhileError(task.by, task.cancelled_at)
    if text := checked_text("note", note, LONGEST_NOTE):
        told = session_of(session)
        write_task_note(told, clock, actor, task_id=task_id, text=text, reach=reach)
    reason = hold_reason if to is TaskState.ON_HOLD else None
    if task.state is to and reason in (None, task.hold_reason):
        return task
    if seen_moves is not None and seen_moves != task.moves:
        refuse_if_moved(session_of(session), actor, task_id, seen_moves, task.moves)
    return _move(session, clock, actor, task=task, to=to, reason=reason)


def _standing(session: Writing, task_id: str, reach: Reach) -> MovedTask:
    rows = _STANDING.all(session, task_id=task_id) if is_id(task_id) else []
    if not rows:
        raise no_task(task_id)
    id_, state, hold_reason, moves, at, by, assignee_id, project_id, cancelled_at = rows[0]
    if not reach.holds(assignee_id=assignee_id, project_id=project_id):
        raise no_task(task_id)
    return MovedTask(
        id_,
        state,
        hold_reason,
        moves,
        at,
        by,
        state,
        hold_reason,
        project_id,
        is_changed=False,
        cancelled_at=cancelled_at,
    )


def _move(
    session: Writing,
    clock: Clock,
    actor: str,
    *,
    task: MovedTask,
    to: TaskState,
    reason: HoldReason | None,
) -> MovedTask:
    at, moves = clock.now(), task.moves + 1
    if task.project_id is not None:
        step = step_of_move(session, task.project_id, task.state, to)
        if step is not None:
            tell_tickets(session_of(session), clock, actor, step=step, project_id=task.project_id)
    _WRITE.run(
        session,
        task.id,
        state=to,
        hold_reason=reason,
        moves=moves,
        state_since=at,
        state_by=actor,
    )
    _KEEP_MOVE.run(
        session,
        id=new_id(),
        task_id=task.id,
        from_state=task.state,
        to_state=to,
        hold_reason=reason,
        at=at,
        by=actor,
    )
    note_quickly(
        session,
        clock,
        actor,
        Deed.TASK_MOVED,
        ("task", task.id),
        before=_told(task.state, task.hold_reason),
        after=_told(to, reason),
    )
    return task._replace(
        state=to, hold_reason=reason, moves=moves, at=at, by=actor, is_changed=True
    )


def _told(state: TaskState, reason: HoldReason | None) -> dict[str, str | int | None]:
    told: dict[str, str | int | None] = {"state": state.value}
    return told | {"hold_reason": reason.value} if reason else told
