"""Ticks one point of a task's checklist, or takes the tick back."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.sent_once import is_new
from pms.rules.deeds import Deed
from pms.upkeep.cancelled_tasks import refuse_if_cancelled
from pms.upkeep.known_task import task_in_hand
from pms.upkeep.models import Task, TaskItem
from pms.upkeep.reach import Reach


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
