"""Inspections of finished cleanings: passed, or sent back with what is missing."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import and_, exists, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import checked_text, needed_text
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TaskKind, TaskState
from pms.upkeep.boards import TaskCard, asked_cards, read_cards
from pms.upkeep.models import Inspection, Task, TaskItem, TaskMove
from pms.upkeep.moves import refuse_if_moved
from pms.upkeep.reach import STANDS, Reach, task_to_change

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


LONGEST_NOTE = 2_000


def inspect_task(
    work: Work,
    *,
    task_id: str,
    has_passed: bool,
    reach: Reach,
    note: str | None = None,
    failed_ids: Collection[str] = (),
    seen_moves: int | None = None,
) -> Task:
    """Write who looked at a finished cleaning and what they found, and return the task.

    One that is sent back is to do again, and the note says why; the points of its checklist that
    `failed_ids` names are open again. One that passed already stays passed. Raises `NotFound` out
    of reach, `Refused` for work that is not done or no cleaning, for somebody on site who cleaned
    it, for a return without a note and for points it does not have; `Collision` when others moved
    it since `seen_moves` was seen.
    """
    task = task_to_change(work.session, task_id, reach)
    if seen_moves is not None and seen_moves != task.moves:
        refuse_if_moved(work.session, work.actor, task_id, seen_moves, task.moves)
    _refuse(task, work.actor, reach)
    text = (checked_text if has_passed else needed_text)("note", note, LONGEST_NOTE)
    if has_passed and _is_passed(work.session, task):
        return task
    failed = [] if has_passed else _reopen(work.session, task.id, failed_ids)
    facts = {"task_id": task.id, "has_passed": has_passed, "note": text, "failed_points": failed}
    work.session.add(Inspection(**facts, at=work.clock.now(), by=work.actor))
    told: dict[str, Any] = {"has_passed": has_passed, "note": text}
    if failed:
        told["points"] = ", ".join(point["ja"] or point["en"] or "" for point in failed)
    note_audit_event(work, AuditEvent.TASK_INSPECTED, ("task", task.id), after=told)
    if not has_passed:
        _send_back(work, task)
    work.session.flush()
    return task


def _refuse(task: Task, actor: str, reach: Reach) -> None:
    if task.kind not in INSPECTED:
        raise Refused("passed: only a cleaning is inspected.")
    if task.state is not TaskState.DONE:
        raise Refused("passed: this cleaning is not done yet.")
    is_own = actor == task.state_by or reach.person_id == task.assignee_id
    if reach.person_id is not None and is_own:
        raise Refused("passed: you cleaned this yourself; a colleague has to inspect it.")


def _reopen(
    session: Session, task_id: str, failed_ids: Collection[str]
) -> Sequence[dict[str, str | None]]:
    """Take the ticks of these points back, and return the points as they are worded."""
    if not failed_ids:
        return []
    question = select(TaskItem).where(TaskItem.task_id == task_id)
    points = session.scalars(question.order_by(TaskItem.position, TaskItem.id)).all()
    unknown = set(failed_ids) - {point.id for point in points}
    if unknown:
        raise Refused("failedPoints: '{point}' is no point of this task.", point=min(unknown)[:60])
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
