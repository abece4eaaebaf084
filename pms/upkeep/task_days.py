"""Lists of tasks: of days, projects, units and people."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.models import Building, Unit
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.tenancy import refers_to
from pms.rules.enumerations import TaskState
from pms.upkeep.boards import (
    BY_NEED,
    REWORK,
    TaskCard,
    TaskFilter,
    asked_cards,
    read_card,
    read_cards,
)
from pms.upkeep.models import Task, Visit
from pms.upkeep.task_visibility import STANDS, TaskVisibility

# Done tasks last, one's own before unassigned ones; a visit's tasks in the visit's order.
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


class DayTasks(NamedTuple):
    """Some tasks, and the total count."""

    cards: Sequence[TaskCard]
    total: int


def days_tasks(
    session: Session, visibility: TaskVisibility, asked: TaskFilter, today: date, paging: Paging
) -> DayTasks:
    """Return the tasks that can be done on the given day, and last those done on it."""
    question = asked.narrow(asked_cards(), visibility, today).order_by(*_IN_TIME)
    return _count_tasks(session, question, paging)


def open_tasks_of_today(
    session: Session,
    visibility: TaskVisibility,
    today: date,
    few: int,
    *,
    assignee_id: str | None = None,
) -> Sequence[TaskCard]:
    """Return the first few tasks to do today, those an inspection sent back first.

    With `assignee_id` only those of this person.
    """
    question = TaskFilter(on=today).narrow(asked_cards(), visibility, today)
    if assignee_id is not None:
        question = question.where(Task.assignee_id == assignee_id)
    is_open = question.where(Task.state != TaskState.DONE)
    rows = session.execute(is_open.order_by(REWORK.is_(None), *_IN_TIME).limit(few))
    return read_cards(rows)


def neglected_tasks(session: Session, today: date, few: int, person_id: str) -> Sequence[TaskCard]:
    """Return the first few tasks that are late, unassigned, or sent back to this person."""
    is_back = and_(Task.assignee_id == person_id, REWORK.is_not(None))
    is_neglected = or_(Task.due_on < today, Task.assignee_id.is_(None), is_back)
    order = (Task.due_on.is_(None), Task.due_on, Task.opens_on, Task.id)
    wanted = select(Task.id).where(Task.state != TaskState.DONE, is_neglected)
    # The inspectors' notes are read for these few only.
    first = wanted.order_by(*order).limit(few).subquery()
    question = asked_cards().where(Task.id.in_(select(first.c.id))).order_by(*order)
    return read_cards(session.execute(question))


def tasks_of_unit(session: Session, visibility: TaskVisibility, unit_id: str, few: int) -> DayTasks:
    """Return the tasks of a unit, open ones before done ones, newest first."""
    question = visibility.narrow(asked_cards().where(Task.unit_id == unit_id))
    in_order = question.order_by(Task.state == TaskState.DONE, Task.id.desc())
    return _count_tasks(session, in_order, Paging(1, few))


def _count_tasks(session: Session, question: Select[*tuple[Any, ...]], paging: Paging) -> DayTasks:
    # One query returns the page's cards and the total count.
    counted = question.add_columns(func.count().over())
    rows = session.execute(counted.offset(paging.offset).limit(paging.limit)).all()
    return DayTasks(read_cards(rows), rows[0][-1] if rows else 0)


LIST_SORTS: Final[Mapping[str, tuple[Any, ...]]] = {
    "task": (Task.title, Task.kind),
    "kind": (Task.kind,),
    "place": (Building.name, Unit.name),
    "opens": (Task.opens_on,),
    "due": (Task.due_on,),
    "state": (Task.state,),
    "assignee": (Person.name,),
}


class ListedTask(NamedTuple):
    """A task in the list of all, with its assignee."""

    card: TaskCard
    assignee: str | None


def list_tasks(
    session: Session,
    visibility: TaskVisibility,
    asked: TaskFilter,
    today: date,
    paging: Paging,
    *,
    sort: str = "",
    is_descending: bool = False,
) -> tuple[Sequence[ListedTask], int]:
    """Return one page of the matching tasks and the total count, in an order of `LIST_SORTS`.

    Without one, open tasks come first by due day, then the done ones, newest first.
    """
    by = LIST_SORTS.get(sort, (Task.state == TaskState.DONE,))
    ways = ((column.desc() if is_descending else column.asc()).nulls_last() for column in by)
    question = (
        asked.narrow(asked_cards(), visibility, today)
        .add_columns(Person.name, func.count().over())
        .outerjoin(Person, Person.id == Task.assignee_id)
        .order_by(*ways, *BY_NEED)
    )
    rows = session.execute(question.offset(paging.offset).limit(paging.limit)).all()
    found = [ListedTask(read_card(row), row[-2]) for row in rows]
    return found, rows[0][-1] if rows else 0


MOST_OFFERED = 60


class PlannableTask(NamedTuple):
    """An open task, and by whom and when it is planned already."""

    card: TaskCard
    held_by: str | None
    held_on: date | None
    visit_id: str | None


def plannable_tasks(
    session: Session, building_id: str, visibility: TaskVisibility, chosen: Collection[str] = ()
) -> Sequence[PlannableTask]:
    """Return the visible open tasks of a building: the chosen ones, then the nearest."""
    known = [task_id for task_id in chosen if is_id(task_id)]
    first = case((Task.id.in_(known), 0), else_=1)
    question = (
        visibility.narrow(
            asked_cards().where(Task.building_id == building_id, Task.state != TaskState.DONE)
        )
        .add_columns(Person.name, Visit.on_day, Visit.id)
        .outerjoin(Visit, refers_to(Task.visit_id, Visit))
        .outerjoin(Person, Person.id == Visit.person_id)
        .order_by(first, Task.due_on.is_(None), Task.due_on, Task.opens_on, Task.id)
        .limit(MOST_OFFERED)
    )
    rows = session.execute(question)
    return [PlannableTask(read_card(row), *row[-3:]) for row in rows]


def building_of_tasks(
    session: Session, task_ids: Collection[str], project_id: str | None, visibility: TaskVisibility
) -> tuple[str | None, Sequence[str]]:
    """Return the building of the chosen tasks or of a project's open ones, and those tasks.

    With several buildings the one of the first chosen task is used: a visit goes to one.
    """
    known = [task_id for task_id in task_ids if is_id(task_id)]
    wanted: list[ColumnElement[bool]] = [Task.id.in_(known)]
    if project_id and is_id(project_id):
        wanted.append(Task.project_id == project_id)
    rows = session.execute(
        visibility.narrow(
            select(Task.id, Task.building_id).where(or_(*wanted), Task.state != TaskState.DONE)
        ).order_by(Task.due_on.is_(None), Task.due_on, Task.id)
    ).all()
    places = {row[0]: row[1] for row in rows}
    place = next(
        (places[task_id] for task_id in known if task_id in places), rows[0][1] if rows else None
    )
    return place, [task_id for task_id, building_id in places.items() if building_id == place]


_ORDER = (TaskState.DOING, TaskState.TODO, TaskState.ON_HOLD, TaskState.DONE)


def tasks_of_project(session: Session, project_id: str) -> Sequence[TaskCard]:
    """Return the tasks of a project: those in progress first, done ones last, no cancelled ones."""
    asked = TaskVisibility.of_project(project_id).narrow(asked_cards().where(STANDS))
    rows = session.execute(asked.order_by(*BY_NEED))
    return sorted(read_cards(rows), key=lambda card: _ORDER.index(card.state))
