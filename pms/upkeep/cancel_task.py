"""Cancels a task that was added by mistake; also the tasks that a project ends with."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import needed_text
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.rules.enumerations import TaskState
from pms.upkeep.known_task import task_in_hand
from pms.upkeep.models import HoursLog, Purchase, Task, TaskNote, UpkeepPhoto
from pms.upkeep.reach import Reach
from pms.upkeep.seen_moves import refuse_if_moved
from pms.upkeep.visit_tasks import leave_visit, lock_visits
from pms.upkeep.write_task_note import LONGEST_NOTE


def cancel_task(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    task_id: str,
    reason: str | None,
    reach: Reach,
    seen_moves: int | None = None,
) -> None:
    """Close a task that nobody needs, and keep the reason as a note; again changes nothing.

    It leaves its visit. Raises `Refused` for a task that is done, for one about which something
    was logged or pictured, for the cleaning of a departure that comes, and for a task that
    somebody on site did not add; `Collision` when others moved it since it was seen.
    """
    text = needed_text("reason", reason, LONGEST_NOTE)
    lock_visits(session, [task_id])
    task = task_in_hand(session, task_id, reach)
    if task.cancelled_at is not None:
        return
    refuse_if_others(task, actor, reach)
    if seen_moves is not None and seen_moves != task.moves:
        refuse_if_moved(session, actor, task_id, seen_moves, task.moves)
    _refuse(session, task)
    session.add(TaskNote(id=new_id(), task_id=task.id, text=text, at=clock.now(), by=actor))
    # Who was told a day for this work hears first that it is no longer planned.
    leave_visit(session, clock, actor, task)
    close_unneeded(session, clock, actor, task, text)


def close_unneeded(
    session: Session, clock: Clock, actor: str, task: Task, because: str | None = None
) -> None:
    """Write that the task is cancelled; where it stood its steps tell."""
    told = {"cancelled_because": because} if because else {}
    before = {"state": task.state.value}
    task.state, task.hold_reason = TaskState.DONE, None
    task.state_since = task.cancelled_at = clock.now()
    task.state_by = actor
    task.version += 1
    note_deed(
        session, clock, actor, Deed.TASK_CANCELLED, ("task", task.id), before=before, after=told
    )
    session.flush()


def has_records(session: Session, task_id: str) -> bool:
    """Whether hours, a purchase or a picture stand about a task."""
    # Three short questions, each by an index of its own.
    for model in (HoursLog, Purchase):
        logged = select(model.id).where(model.task_id == task_id, model.removed_at.is_(None))
        if session.scalar(logged.limit(1)) is not None:
            return True
    pictured = select(UpkeepPhoto.id).where(UpkeepPhoto.task_id == task_id)
    return session.scalar(pictured.limit(1)) is not None


def may_cancel(created_by: str, own: str, reach: Reach) -> bool:
    """Whether a task is this person's to cancel: the office any, on site what they added."""
    return reach.is_everything or created_by == own


def refuse_if_others(task: Task, own: str, reach: Reach) -> None:
    """Raise `Refused` when the task is not this person's to cancel or to bring back."""
    if not may_cancel(task.created_by, own, reach):
        raise Refused("state: you can cancel the tasks you added yourself; ask the office.")


def _refuse(session: Session, task: Task) -> None:
    if task.state is TaskState.DONE:
        raise Refused("state: this task is done already.")
    if task.leaving_id is not None and task.released_at is None:
        raise Refused(
            "state: this cleaning belongs to a check-out and would come back;"
            " it goes when the check-out does."
        )
    if has_records(session, task.id):
        raise Refused(
            "state: hours, purchases or photos are part of this task already; finish it instead."
        )
