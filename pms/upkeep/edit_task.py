"""Edits what a task says: its title, its note, its days."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, checked_text
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.rules.deeds import Deed
from pms.rules.enumerations import TaskState
from pms.upkeep.add_task import checked_title, refuse_reversed_window, refuse_strange_project
from pms.upkeep.cancel_task import may_cancel
from pms.upkeep.checked_place import checked_place
from pms.upkeep.known_task import task_to_change
from pms.upkeep.models import Task
from pms.upkeep.reach import Reach
from pms.upkeep.upkeep_in_hand import open_project_in_hand


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTask:
    """What a person writes of a task; a turnover's days follow from its stays instead.

    `unit_id` is read only when the task `is_placed` anew: another unit of its building, or none.
    `project_id` likewise, when it `is_filed` anew: an open project of its building, or none.
    """

    title: str | None = None
    note: str | None = None
    opens_on: date | None = None
    due_on: date | None = None
    unit_id: str | None = None
    is_placed: bool = False
    project_id: str | None = None
    is_filed: bool = False


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

    The days of a turnover are left: its departure and the next arrival move them. Raises
    `Refused` for a turnover, a task that is done or one of others put into another unit, and for
    a task put into a project, or taken out of one, whose work is over.
    """
    if written.is_filed:
        _hold_projects(session, task_id, written.project_id or None)
    task = task_to_change(session, task_id, reach)
    if task.version != version:
        raise Collision("version: somebody else changed this task meanwhile; look at it again.")
    task.title = checked_title(task.kind, written.title)
    task.note = checked_text("note", written.note, LONGEST_TEXT)
    if task.leaving_id is None:
        refuse_reversed_window(written.opens_on, written.due_on)
        task.opens_on, task.due_on = written.opens_on, written.due_on
    if written.is_placed and (written.unit_id or None) != task.unit_id:
        _refuse_placed(task, actor, reach)
        _, task.unit_id = checked_place(session, task.building_id, written.unit_id)
    if written.is_filed and (written.project_id or None) != task.project_id:
        refuse_strange_project(session, written.project_id, task.building_id)
        task.project_id = written.project_id or None
    _keep(session, clock, actor, task)


def _hold_projects(session: Session, task_id: str, into: str | None) -> None:
    """Lock the projects a task leaves and goes into, before the task, as ending a project does."""
    known = session.scalar(select(Task.project_id).where(Task.id == task_id))
    if known == into:
        return
    for project_id in sorted(one for one in (known, into) if one):
        open_project_in_hand(session, project_id)


def _refuse_placed(task: Task, actor: str, reach: Reach) -> None:
    if task.leaving_id is not None:
        raise Refused("unitId: this cleaning stays where its check-out is.")
    if task.state is TaskState.DONE:
        raise Refused("unitId: this task is done; it stays where the work was.")
    if not may_cancel(task.created_by, actor, reach):
        raise Refused("unitId: you can move the tasks you added yourself; ask the office.")


def _keep(session: Session, clock: Clock, actor: str, task: Task) -> None:
    if session.is_modified(task):
        task.version += 1
        note_change(session, clock, actor, Deed.TASK_EDITED, task)
    session.flush()
