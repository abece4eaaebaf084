"""Moving a task into another state."""

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import and_, bindparam, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import checked_text, needed_text
from pms.foundation.audit import note_deed, note_quickly
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound
from pms.foundation.ids import is_id, new_id
from pms.foundation.phrases import Actor
from pms.foundation.prepared import PreparedInWorkspace
from pms.foundation.prepared_writes import PreparedInsert, PreparedUpdate
from pms.foundation.prepared_writing import Writing, session_of
from pms.foundation.sent_once import is_new
from pms.rules.deeds import Deed
from pms.rules.enumerations import HoldReason, TaskState, TicketStep
from pms.upkeep.models import Task, TaskItem, TaskMove, TaskNote
from pms.upkeep.reach import (
    CancelledMeanwhileError,
    Reach,
    no_task,
    refuse_if_cancelled,
    task_in_hand,
)
from pms.upkeep.ticket_updates import tell_tickets

LONGEST_NOTE: Final = 2_000


def write_task_note(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    task_id: str,
    text: str | None,
    reach: Reach,
    key: str | None = None,
) -> None:
    """Store the note below those that stand; raise `Refused` when it says nothing."""
    written = needed_text("text", text, LONGEST_NOTE)
    task = task_in_hand(session, task_id, reach)
    if not is_new(session, clock, actor, key):
        return
    refuse_if_cancelled(task)
    session.add(TaskNote(id=new_id(), task_id=task.id, text=written, at=clock.now(), by=actor))
    note_deed(session, clock, actor, Deed.TASK_NOTED, ("task", task.id), after={"note": written})
    session.flush()


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


def tick_item(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    task_id: str,
    item_id: str,
    is_ticked: bool,
    reach: Reach,
    key: str | None = None,
) -> Task:
    """Write who ticked the point and when, and return its task; what is so already stays so.

    Two who tick different points at once both have theirs. Raises `NotFound` for a point of
    another task.
    """
    task = task_in_hand(session, task_id, reach)
    point = _point(session, task_id, item_id)
    if not is_new(session, clock, actor, key):
        return task
    refuse_if_cancelled(task)
    if (point.ticked_at is not None) == is_ticked:
        return task
    point.ticked_at = clock.now() if is_ticked else None
    point.ticked_by = actor if is_ticked else None
    note_deed(
        session,
        clock,
        actor,
        Deed.CHECKLIST_TICKED,
        ("task", task_id),
        after={"point": point.text_en or point.text_ja, "ticked": is_ticked},
    )
    session.flush()
    return task


def _point(session: Session, task_id: str, item_id: str) -> TaskItem:
    found = None
    if is_id(item_id):
        question = select(TaskItem).where(TaskItem.id == item_id, TaskItem.task_id == task_id)
        found = session.scalar(question.execution_options(populate_existing=True))
    if found is None:
        raise NotFound("There is no point '{item_id}' in this task.", item_id=item_id[:60])
    return found
