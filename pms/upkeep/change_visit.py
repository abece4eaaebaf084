"""Adds tasks to a visit, takes one out, and moves one up or down."""

from collections.abc import Sequence
from typing import Literal

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
from pms.upkeep.models import Task
from pms.upkeep.reach import Reach
from pms.upkeep.visit_facts import note_visit
from pms.upkeep.visit_in_hand import visit_in_hand
from pms.upkeep.visit_tasks import (
    lock_plans_of,
    lock_visits,
    number_tasks,
    put_tasks,
    take_out,
    tasks_in_order,
    tasks_to_visit,
)

Way = Literal["up", "down"]


def add_to_visit(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    visit_id: str,
    task_ids: Sequence[str],
    reach: Reach,
    may_take_over: bool = False,
) -> int:
    """Append tasks to a visit and return how many came to it.

    Raises as `plan_visit` does; `NotFound` for a visit out of reach.
    """
    lock_plans_of(session, visit_id)
    lock_visits(session, task_ids, also=[visit_id] if is_id(visit_id) else [])
    visit = visit_in_hand(session, visit_id, reach)
    standing = tasks_in_order(session, visit_id)
    tasks = tasks_to_visit(session, visit, task_ids, reach, may_take_over=may_take_over)
    if tasks:
        put_tasks(session, clock, actor, visit=visit, tasks=tasks, standing=standing)
        visit.version += 1
        count = len(standing) + len(tasks)
        note_visit(session, clock, actor, Deed.VISIT_CHANGED, visit, count=count)
        session.flush()
    return len(tasks)


def remove_from_visit(
    session: Session, clock: Clock, actor: str, *, visit_id: str, task_id: str, reach: Reach
) -> None:
    """Take a task out of a visit; it stays with whom it was given to.

    The last one stays: a visit without a task is no visit and is cancelled instead. Raises
    `NotFound` for a visit out of reach and for a task that is not part of it.
    """
    visit = visit_in_hand(session, visit_id, reach)
    standing = tasks_in_order(session, visit_id)
    leaving = _part(standing, task_id)
    if len(standing) == 1:
        raise Refused("taskId: this is the only task; cancel the visit instead.")
    take_out(session, clock, actor, tasks=[leaving])
    number_tasks([task for task in standing if task is not leaving])
    visit.version += 1
    note_visit(session, clock, actor, Deed.VISIT_CHANGED, visit, count=len(standing) - 1)
    session.flush()


def order_visit(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    visit_id: str,
    task_id: str,
    way: Way,
    reach: Reach,
) -> None:
    """Move a task of a visit one place up or down; at the end of the list it stays.

    Raises `NotFound` for a visit out of reach and for a task that is not part of it.
    """
    visit = visit_in_hand(session, visit_id, reach)
    standing = tasks_in_order(session, visit_id)
    place = standing.index(_part(standing, task_id))
    other = place + (-1 if way == "up" else 1)
    if not 0 <= other < len(standing):
        return
    standing[place], standing[other] = standing[other], standing[place]
    number_tasks(standing)
    visit.version += 1
    note_visit(session, clock, actor, Deed.VISIT_CHANGED, visit, count=len(standing))
    session.flush()


def _part(tasks: Sequence[Task], task_id: str) -> Task:
    found = next((task for task in tasks if task.id == task_id), None)
    if found is None:
        raise NotFound("There is no task '{task_id}' in this visit.", task_id=task_id[:60])
    return found
