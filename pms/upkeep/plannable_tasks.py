"""The tasks of a building that a visit may bundle, and the visits that hold some already."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, case, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.foundation.ids import is_id
from pms.rules.enumerations import TaskState
from pms.upkeep.models import Task, Visit
from pms.upkeep.reach import Reach
from pms.upkeep.task_cards import TaskCard, asked_cards, read_card

MOST_OFFERED = 60


class PlannableTask(NamedTuple):
    """A task that is to be done, and who goes there for it already, and when."""

    card: TaskCard
    held_by: str | None
    held_on: date | None
    visit_id: str | None


def plannable_tasks(
    session: Session, building_id: str, reach: Reach, chosen: Collection[str] = ()
) -> Sequence[PlannableTask]:
    """Return the open tasks of a building within reach, the chosen ones and then the nearest."""
    known = [task_id for task_id in chosen if is_id(task_id)]
    first = case((Task.id.in_(known), 0), else_=1)
    question = (
        reach.narrow(
            asked_cards().where(Task.building_id == building_id, Task.state != TaskState.DONE)
        )
        .add_columns(Person.name, Visit.on_day, Visit.id)
        .outerjoin(Visit, and_(Visit.workspace_id == Task.workspace_id, Visit.id == Task.visit_id))
        .outerjoin(Person, Person.id == Visit.person_id)
        .order_by(first, Task.due_on.is_(None), Task.due_on, Task.opens_on, Task.id)
        .limit(MOST_OFFERED)
    )
    rows = session.execute(question)
    return [PlannableTask(read_card(row), *row[-3:]) for row in rows]


def building_of_tasks(
    session: Session, task_ids: Collection[str], project_id: str | None, reach: Reach
) -> tuple[str | None, Sequence[str]]:
    """Return the building of the tasks chosen or of a project's open ones, and those tasks.

    Of several buildings the first one chosen counts: a visit goes to one.
    """
    known = [task_id for task_id in task_ids if is_id(task_id)]
    wanted: list[ColumnElement[bool]] = [Task.id.in_(known)]
    if project_id and is_id(project_id):
        wanted.append(Task.project_id == project_id)
    rows = session.execute(
        reach.narrow(
            select(Task.id, Task.building_id).where(or_(*wanted), Task.state != TaskState.DONE)
        ).order_by(Task.due_on.is_(None), Task.due_on, Task.id)
    ).all()
    places = {row[0]: row[1] for row in rows}
    place = next((places[one] for one in known if one in places), rows[0][1] if rows else None)
    return place, [task_id for task_id, building_id in places.items() if building_id == place]
