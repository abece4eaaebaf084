"""The work of a day in the order of its time, and the work that somebody must look after."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, and_, func, or_
from sqlalchemy.orm import Session

from pms.foundation.paging import Paging
from pms.rules.enumerations import TaskState
from pms.upkeep.models import Task
from pms.upkeep.reach import Reach
from pms.upkeep.task_cards import REWORK, TaskCard, asked_cards, read_cards
from pms.upkeep.task_filter import TaskFilter

# What is done last, one's own before what nobody has; a visit's tasks as it orders them.
_IN_TIME: Final[tuple[Any, ...]] = (
    Task.state == TaskState.DONE,
    Task.assignee_id.is_(None),
    Task.due_on.is_(None),
    Task.due_on,
    Task.visit_position.is_(None),
    Task.visit_position,
    Task.opens_on,
    Task.building_id,
    Task.id,
)


class Work(NamedTuple):
    """Some tasks, and how many there are."""

    cards: Sequence[TaskCard]
    total: int


def days_tasks(
    session: Session, reach: Reach, asked: TaskFilter, today: date, paging: Paging
) -> Work:
    """Return the tasks that can be done on the day asked for, and those done on it at the end."""
    question = asked.narrow(asked_cards(), reach, today).order_by(*_IN_TIME)
    return _counted(session, question, paging)


def open_tasks_of_today(session: Session, reach: Reach, today: date, few: int) -> Work:
    """Return the first few that still are to be done today, what was sent back before all else."""
    asked = TaskFilter(on=today).narrow(asked_cards(), reach, today)
    is_open = asked.where(Task.state != TaskState.DONE)
    return _counted(session, is_open.order_by(REWORK.is_(None), *_IN_TIME), Paging(1, few))


def neglected_tasks(session: Session, today: date, few: int, person_id: str) -> Work:
    """Return the first few that are late, that nobody has, or that came back to this person."""
    is_back = and_(Task.assignee_id == person_id, REWORK.is_not(None))
    is_neglected = or_(Task.due_on < today, Task.assignee_id.is_(None), is_back)
    question = asked_cards().where(Task.state != TaskState.DONE, is_neglected)
    in_order = question.order_by(Task.due_on.is_(None), Task.due_on, Task.opens_on, Task.id)
    return _counted(session, in_order, Paging(1, few))


def tasks_of_unit(session: Session, reach: Reach, unit_id: str, few: int) -> Work:
    """Return the tasks of a unit, the open ones before those that are done, the newest first."""
    question = reach.narrow(asked_cards().where(Task.unit_id == unit_id))
    in_order = question.order_by(Task.state == TaskState.DONE, Task.id.desc())
    return _counted(session, in_order, Paging(1, few))


def _counted(session: Session, question: Select[*tuple[Any, ...]], paging: Paging) -> Work:
    # One question tells the cards of a page and how many there are.
    counted = question.add_columns(func.count().over())
    rows = session.execute(counted.offset(paging.offset).limit(paging.limit)).all()
    return Work(read_cards(rows), rows[0][-1] if rows else 0)
