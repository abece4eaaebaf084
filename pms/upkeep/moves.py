"""Moving a task to another state, and inspecting a finished cleaning."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import and_, bindparam, exists, func, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import check_text, needed_text
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.idempotency import is_new
from pms.foundation.ids import is_id, new_id
from pms.foundation.phrases import Actor
from pms.foundation.prepared import PreparedInWorkspace, one_of
from pms.foundation.stored_forms import read_stored
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import HoldReason, TaskKind, TaskState, TicketStep
from pms.rules.notices_to_people import NoticeKind
from pms.upkeep.boards import TaskCard, asked_cards, read_cards
from pms.upkeep.models import FailedPoint, Inspection, Task, TaskItem, TaskMove, TaskNote
from pms.upkeep.task_notices import tell_assignees
from pms.upkeep.task_visibility import (
    STANDS,
    TaskVisibility,
    refuse_if_cancelled,
    task_to_change,
)
from pms.upkeep.ticket_updates import tell_tickets

LONGEST_NOTE: Final = 2_000


def write_task_note(
    work: Work,
    *,
    task_id: str,
    text: str | None,
    visibility: TaskVisibility,
    key: str | None = None,
) -> None:
    """Store a note on the task; raise `Refused` when it is empty."""
    written = needed_text("text", text, LONGEST_NOTE)
    task = locked(work.session, Task, task_id, within=visibility.narrow)
    if not is_new(work.session, work.clock, work.actor, key):
        return
    refuse_if_cancelled(task)
    work.session.add(
        TaskNote(id=new_id(), task_id=task.id, text=written, at=work.clock.now(), by=work.actor)
    )
    note_audit_event(work, AuditEvent.TASK_NOTED, ("task", task.id), after={"note": written})
    work.session.flush()


_BEGUN: Final = PreparedInWorkspace(
    select(TaskMove.id)
    .join(Task, refers_to(TaskMove.task_id, Task))
    .where(Task.project_id == bindparam("project_id"), TaskMove.to_state == TaskState.DOING)
    .limit(1)
)


def step_of_move(
    session: Session, project_id: str, was: TaskState, to: TaskState
) -> TicketStep | None:
    """Return the step to report to tickets: begun, waiting, or begun again; `None` otherwise.

    The move itself is not stored yet.
    """
    if to is TaskState.ON_HOLD:
        return TicketStep.WAITING if was is not to else None
    if to is not TaskState.DOING:
        return None
    if was is TaskState.ON_HOLD or not _has_begun(session, project_id):
        return TicketStep.STARTED
    return None


def _has_begun(session: Session, project_id: str) -> bool:
    return bool(_BEGUN.all(session, project_id=project_id))


class MovedMeanwhileError(Collision):
    """Somebody else moved the task meanwhile.

    It says by whom, to which state, why and when, and the present count of moves.
    """

    def __init__(
        self,
        collision: Collision,
        *,
        by: str,
        state: TaskState,
        reason: HoldReason | None,
        at: datetime,
        moves: int,
    ) -> None:
        super().__init__(collision.template, **collision.values)
        self.by, self.state, self.reason, self.at, self.moves = by, state, reason, at, moves


def refuse_if_moved(session: Session, own: str, task_id: str, seen_moves: int, moves: int) -> None:
    """Raise `MovedMeanwhileError` if anybody but the actor moved the task since `seen_moves`.

    A person whose own earlier move got no response does not collide with it.
    """
    newest = (
        select(TaskMove.by, TaskMove.to_state, TaskMove.hold_reason, TaskMove.at)
        .where(TaskMove.task_id == task_id)
        .order_by(TaskMove.id.desc())
        .limit(max(moves - seen_moves, 1))
    )
    for by, state, reason, at in session.execute(newest):
        if by != own:
            collision = Collision(
                "state: {by} set this task to {state} on {at}. Check it again.",
                by=Actor(by),
                state=state,
                at=at,
            )
            raise MovedMeanwhileError(
                collision, by=by, state=state, reason=reason, at=at, moves=moves
            )


class PointsOpenError(Refused):
    """Points that an inspection sent back are not ticked; `moves` is the task's present count."""

    def __init__(self, refusal: Refused, moves: int) -> None:
        super().__init__(refusal.template, **refusal.values)
        self.moves = moves


def _refuse_open_points(session: Session, row: Task) -> None:
    """Raise `PointsOpenError` while points that the newest inspection opened are not ticked."""
    newest = select(Inspection).where(Inspection.task_id == row.id)
    seen = session.scalars(newest.order_by(Inspection.at.desc(), Inspection.id.desc())).first()
    if seen is None or seen.has_passed:
        return
    failed = [point["id"] for point in read_stored(list[FailedPoint], seen.failed_points)]
    still_open = select(func.count()).where(
        TaskItem.task_id == row.id, one_of(TaskItem.id, failed), TaskItem.ticked_at.is_(None)
    )
    if count := session.scalar(still_open) or 0:
        refusal = Refused(
            "state: {count} points were sent back and are not ticked yet. Tick them, or say that "
            "the task is done anyway.",
            count=count,
        )
        raise PointsOpenError(refusal, row.moves)


class MovedTask(NamedTuple):
    """The task's state after a move, and its state before."""

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
    work: Work,
    *,
    task_id: str,
    to: TaskState,
    visibility: TaskVisibility,
    seen_moves: int | None = None,
    hold_reason: HoldReason | None = None,
    note: str | None = None,
    key: str | None = None,
    leaves_points_open: bool = False,
) -> MovedTask:
    """Store the new state with actor and time, and return it.

    A task already in that state is left unchanged, and so is one for a form that arrived before, by
    its key. `seen_moves` is the count of moves the caller read: `Collision` says who moved the task
    elsewhere or cancelled it since, and when. Only a task on hold has a reason. Raises `NotFound`
    for an unknown or invisible task, and `PointsOpenError` for a task to be done while points that
    were sent back are open, unless `leaves_points_open`.
    """
    row = locked(work.session, Task, task_id, within=visibility.narrow)
    task = _build_moved_task(row)
    if not is_new(work.session, work.clock, work.actor, key):
        return task
    refuse_if_cancelled(row)
    if text := check_text("note", note, LONGEST_NOTE):
        write_task_note(
            Work(work.session, work.clock, work.actor),
            task_id=task_id,
            text=text,
            visibility=visibility,
        )
    reason = hold_reason if to is TaskState.ON_HOLD else None
    if task.state is to and reason in (None, task.hold_reason):
        return task
    if seen_moves is not None and seen_moves != task.moves:
        refuse_if_moved(work.session, work.actor, task_id, seen_moves, task.moves)
    if to is TaskState.DONE and not leaves_points_open:
        _refuse_open_points(work.session, row)
    return _record_move(work, row, to=to, reason=reason)


def _build_moved_task(row: Task) -> MovedTask:
    return MovedTask(
        row.id,
        row.state,
        row.hold_reason,
        row.moves,
        row.state_since,
        row.state_by,
        was=row.state,
        was_reason=row.hold_reason,
        project_id=row.project_id,
        is_changed=False,
        cancelled_at=row.cancelled_at,
    )


def _record_move(work: Work, row: Task, *, to: TaskState, reason: HoldReason | None) -> MovedTask:
    was = _build_moved_task(row)
    if row.project_id is not None:
        step = step_of_move(work.session, row.project_id, row.state, to)
        if step is not None:
            tell_tickets(
                Work(work.session, work.clock, work.actor), step=step, project_id=row.project_id
            )
    row.state, row.hold_reason, row.moves = to, reason, row.moves + 1
    row.state_since, row.state_by = work.clock.now(), work.actor
    work.session.add(
        TaskMove(
            id=new_id(),
            task_id=row.id,
            from_state=was.state,
            to_state=to,
            hold_reason=reason,
            at=row.state_since,
            by=work.actor,
        )
    )
    note_audit_event(
        Work(work.session, work.clock, work.actor),
        AuditEvent.TASK_MOVED,
        ("task", row.id),
        before=_state_facts(was.state, was.hold_reason),
        after=_state_facts(to, reason),
    )
    work.session.flush()
    return _build_moved_task(row)._replace(
        was=was.state, was_reason=was.hold_reason, is_changed=True
    )


def _state_facts(state: TaskState, reason: HoldReason | None) -> dict[str, str]:
    facts = {"state": state.value}
    return facts | {"hold_reason": reason.value} if reason else facts


def tick_item(
    work: Work,
    *,
    task_id: str,
    item_id: str,
    is_ticked: bool,
    visibility: TaskVisibility,
    key: str | None = None,
) -> Task:
    """Store who ticked the point and when, and return its task; a repeat changes nothing.

    Concurrent ticks of different points are both stored. Raises `NotFound` for a point of another
    task.
    """
    task = locked(work.session, Task, task_id, within=visibility.narrow)
    point = None
    if is_id(item_id):
        question = select(TaskItem).where(TaskItem.id == item_id, TaskItem.task_id == task_id)
        point = work.session.scalar(question.execution_options(populate_existing=True))
    if point is None:
        raise NotFound("This task has no item '{item_id}'.", item_id=item_id[:60])
    if not is_new(work.session, work.clock, work.actor, key):
        return task
    refuse_if_cancelled(task)
    if (point.ticked_at is not None) == is_ticked:
        return task
    point.ticked_at = work.clock.now() if is_ticked else None
    point.ticked_by = work.actor if is_ticked else None
    note_audit_event(
        work,
        AuditEvent.CHECKLIST_TICKED,
        ("task", task_id),
        after={"point": point.text_en or point.text_ja, "ticked": is_ticked},
    )
    work.session.flush()
    return task


INSPECTED: Final = (TaskKind.TURNOVER, TaskKind.CLEANING)
"""The kinds of tasks that are inspected once they are done."""
WAITS_FOR: Final = timedelta(days=14)
"""A cleaning not inspected for this long counts as good: inspections are not required."""
_MOST: Final = 100


def awaiting_inspection(
    session: Session, clock: Clock, visibility: TaskVisibility | None = None
) -> Sequence[TaskCard]:
    """Return recently finished cleanings that were not inspected, soonest due first."""
    is_seen = exists().where(
        and_(
            refers_to(Inspection.task_id, Task),
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
    narrowed = (visibility or TaskVisibility.everything()).narrow(waiting)
    ordered = narrowed.order_by(Task.due_on.is_(None), Task.due_on, Task.id)
    return read_cards(session.execute(ordered.limit(_MOST)).all())


def inspect_task(
    work: Work,
    *,
    task_id: str,
    has_passed: bool,
    visibility: TaskVisibility,
    note: str | None = None,
    failed_ids: Collection[str] = (),
    seen_moves: int | None = None,
) -> Task:
    """Store who inspected a finished cleaning and the result, and return the task.

    A cleaning that is sent back becomes open again, and the note says why; the points of its
    checklist in `failed_ids` are open again. One that passed already is left unchanged. Raises
    `NotFound` when it is not visible, `Refused` for work that is not done or no cleaning, for a
    person on site who cleaned it themselves, for sending back without a note and for unknown
    points; `Collision` when others moved it since `seen_moves`.
    """
    task = task_to_change(work.session, task_id, visibility)
    if seen_moves is not None and seen_moves != task.moves:
        refuse_if_moved(work.session, work.actor, task_id, seen_moves, task.moves)
    if task.kind not in INSPECTED:
        raise Refused("passed: only a cleaning can be inspected.")
    if task.state is not TaskState.DONE:
        raise Refused("passed: this cleaning is not done yet.")
    is_own = work.actor == task.state_by or visibility.person_id == task.assignee_id
    if visibility.person_id is not None and is_own:
        raise Refused("passed: you cleaned this yourself, so a colleague has to inspect it.")
    text = (check_text if has_passed else needed_text)("note", note, LONGEST_NOTE)
    if has_passed and _is_passed(work.session, task):
        return task
    failed = [] if has_passed else _reopen_points(work.session, task.id, failed_ids)
    facts = {"task_id": task.id, "has_passed": has_passed, "note": text, "failed_points": failed}
    work.session.add(Inspection(**facts, at=work.clock.now(), by=work.actor))
    noted: dict[str, Any] = {"has_passed": has_passed, "note": text}
    if failed:
        noted["points"] = ", ".join(point["ja"] or point["en"] or "" for point in failed)
    note_audit_event(work, AuditEvent.TASK_INSPECTED, ("task", task.id), after=noted)
    if not has_passed:
        _send_back(work, task)
        tell_assignees(work, NoticeKind.TASK_SENT_BACK, [task])
    work.session.flush()
    return task


def _reopen_points(
    session: Session, task_id: str, failed_ids: Collection[str]
) -> Sequence[dict[str, str | None]]:
    """Remove the ticks of these points, and return the points with their texts."""
    if not failed_ids:
        return []
    question = select(TaskItem).where(TaskItem.task_id == task_id)
    points = session.scalars(question.order_by(TaskItem.position, TaskItem.id)).all()
    unknown = set(failed_ids) - {point.id for point in points}
    if unknown:
        raise Refused(
            "failedPoints: '{point}' is not an item of this task.", point=min(unknown)[:60]
        )
    failed = [point for point in points if point.id in failed_ids]
    for point in failed:
        point.ticked_at = point.ticked_by = None
    return [{"id": point.id, "ja": point.text_ja, "en": point.text_en} for point in failed]


def _is_passed(session: Session, task: Task) -> bool:
    seen = select(Inspection.id).where(
        Inspection.task_id == task.id, Inspection.at >= task.state_since, Inspection.has_passed
    )
    return session.scalars(seen).first() is not None


def _send_back(work: Work, task: Task) -> None:
    move = {
        "from_state": task.state,
        "to_state": TaskState.TODO,
        "at": work.clock.now(),
        "by": work.actor,
    }
    work.session.add(TaskMove(task_id=task.id, **move))
    task.state, task.hold_reason = TaskState.TODO, None
    task.state_since, task.state_by = work.clock.now(), work.actor
    task.moves += 1
