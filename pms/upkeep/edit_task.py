"""Edits what a task says: its title, its note, its days."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, checked_text
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision
from pms.rules.deeds import Deed
from pms.upkeep.add_task import checked_title, refuse_reversed_window
from pms.upkeep.known_task import task_to_change
from pms.upkeep.models import Task
from pms.upkeep.reach import Reach


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTask:
    """What a person writes of a task; a turnover's days follow from its stays instead."""

    title: str | None = None
    note: str | None = None
    opens_on: date | None = None
    due_on: date | None = None


def edit_task(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    task_id: str,
    written: WrittenTask,
    version: int,
    reach: Reach,
) -> None:
    """Write what differs; raise `Collision` when the task is not as it was seen.

    The days of a turnover are left: its departure and the next arrival move them.
    """
    task = task_to_change(session, task_id, reach)
    if task.version != version:
        raise Collision("version: somebody else changed this task meanwhile; look at it again.")
    task.title = checked_title(task.kind, written.title)
    task.note = checked_text("note", written.note, LONGEST_TEXT)
    if task.leaving_id is None:
        refuse_reversed_window(written.opens_on, written.due_on)
        task.opens_on, task.due_on = written.opens_on, written.due_on
    _keep(session, clock, actor, task)


def _keep(session: Session, clock: Clock, actor: str, task: Task) -> None:
    if session.is_modified(task):
        task.version += 1
        note_change(session, clock, actor, Deed.TASK_EDITED, task)
    session.flush()
