"""Visits: lists, records and locks."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple, TypeVarTuple

from sqlalchemy import Integer, Select, case, cast, false, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.models import Building
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.work import locked
from pms.rules.enumerations import TaskState
from pms.upkeep.boards import TaskCard, asked_cards, read_cards
from pms.upkeep.models import Task, Visit
from pms.upkeep.task_visibility import TaskVisibility


def tasks_in_order(session: Session, visit_id: str) -> list[Task]:
    """Return the tasks of a visit, locked, in the order of the visit."""
    session.flush()
    tasks = session.scalars(
        select(Task)
        .where(Task.visit_id == visit_id)
        .order_by(Task.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return sorted(tasks, key=lambda task: (task.visit_position or 0, task.id))


def lock_plans(session: Session, *, building_id: str) -> None:
    """Serialise planning, moving and handing over visits to a building.

    The rows they create and delete could not be locked before.
    """
    building = select(Building.id).where(Building.id == building_id)
    session.execute(building.with_for_update(key_share=True)).all()


def lock_plans_of(session: Session, visit_id: str) -> None:
    """Do the same for the building of a visit, before the visit is locked."""
    known = select(Visit.building_id).where(Visit.id == visit_id)
    building_id = session.scalar(known) if is_id(visit_id) else None
    if building_id is not None:
        lock_plans(session, building_id=building_id)


def lock_visits(
    session: Session, task_ids: Iterable[str], *, also: Iterable[str] = ()
) -> Sequence[str]:
    """Lock the visits that have these tasks, and others, in the order of their ids.

    Visits are locked before tasks (docs/decisions/locks-and-retries.md). Returns the ids of the
    locked visits.
    """
    known = [task_id for task_id in task_ids if is_id(task_id)]
    held = select(Task.visit_id).where(one_of(Task.id, known))
    wanted = or_(Visit.id.in_(held), Visit.id.in_(list(also)))
    visits = select(Visit.id).where(wanted).order_by(Visit.id)
    return session.scalars(visits.with_for_update()).all()


def lock_tasks(session: Session, task_ids: Sequence[str]) -> None:
    """Lock tasks in the order of their ids, once their visits are locked."""
    tasks = select(Task.id).where(one_of(Task.id, list(task_ids))).order_by(Task.id)
    session.execute(tasks.with_for_update()).all()


Columns = TypeVarTuple("Columns")


def visits_within(question: Select[*Columns], visibility: TaskVisibility) -> Select[*Columns]:
    """Return a query of visits limited to visible ones.

    The office sees all visits, staff on site their own, a contractor none.
    """
    if visibility.project_id is not None:
        return question.where(false())
    if visibility.person_id is not None:
        return question.where(Visit.person_id == visibility.person_id)
    return question


def lock_visit(session: Session, visit_id: str, visibility: TaskVisibility) -> Visit:
    """Return the visit, locked; raise `NotFound` for an unknown or invisible one."""
    return locked(
        session, Visit, visit_id, within=lambda question: visits_within(question, visibility)
    )


class ListedVisit(NamedTuple):
    """One visit of a list, with the number of its tasks and of those done."""

    id: str
    on_day: date
    person_id: str
    person: str
    building_id: str
    note: str | None
    building: Bilingual
    address: Bilingual
    tasks: int = 0
    done: int = 0
    is_one_of_several: bool = False
    """Whether the person visits another building the same day."""


class VisitRecord(NamedTuple):
    """One visit with its tasks in order, and the person's other visits that day."""

    visit: ListedVisit
    planned_at: datetime
    planned_by: str
    version: int
    cards: Sequence[TaskCard]
    others: Sequence[ListedVisit]


_COLUMNS: Final = (
    Visit.id,
    Visit.on_day,
    Visit.person_id,
    Person.name,
    Visit.building_id,
    Visit.note,
    Building.name,
    Building.name_en,
    Building.address,
    Building.address_en,
)
_WIDTH: Final = len(_COLUMNS)
_VISITS: Final[Any] = (
    select(*_COLUMNS)
    .join(Person, Person.id == Visit.person_id)
    .join(Building, refers_to(Visit.building_id, Building))
    .order_by(Visit.on_day, Person.name, Visit.person_id, Building.name, Visit.id)
)


def list_visits(
    session: Session,
    from_on: date,
    to_on: date,
    visibility: TaskVisibility,
    *,
    person_id: str | None = None,
) -> Sequence[ListedVisit]:
    """Return the visible visits from one day to another, both included, by day and person."""
    question = visits_within(_VISITS.where(Visit.on_day.between(from_on, to_on)), visibility)
    if person_id is not None:
        question = question.where(Visit.person_id == person_id)
    visits = _count_visits(session, [_read_visit(row) for row in session.execute(question)])
    listed = list(visits)
    trips = Counter((visit.on_day, visit.person_id) for visit in listed)
    return [
        visit._replace(is_one_of_several=trips[visit.on_day, visit.person_id] > 1)
        for visit in listed
    ]


def visits_of_day(session: Session, person_id: str, on: date) -> Sequence[ListedVisit]:
    """Return a person's visits on a day."""
    return list_visits(session, on, on, TaskVisibility.everything(), person_id=person_id)


def visit_record(session: Session, visit_id: str, visibility: TaskVisibility) -> VisitRecord:
    """Return one visit; raise `NotFound` for an unknown or invisible one.

    It contains only tasks that the reader may see.
    """
    row: Any = None
    if is_id(visit_id):
        question = _VISITS.add_columns(Visit.planned_at, Visit.planned_by, Visit.version)
        row = session.execute(
            visits_within(question.where(Visit.id == visit_id), visibility)
        ).first()
    if row is None:
        raise no_such("visit", visit_id)
    visit = _read_visit(row)
    cards = session.execute(
        visibility.narrow(asked_cards().where(Task.visit_id == visit_id)).order_by(
            Task.visit_position, Task.id
        )
    )
    day = list_visits(session, visit.on_day, visit.on_day, visibility, person_id=visit.person_id)
    planned_at, planned_by, version = row[_WIDTH:]
    return VisitRecord(
        visit=next((planned for planned in day if planned.id == visit_id), visit),
        planned_at=planned_at,
        planned_by=planned_by,
        version=version,
        cards=read_cards(cards),
        others=[planned for planned in day if planned.id != visit_id],
    )


def _read_visit(row: Sequence[Any]) -> ListedVisit:
    *facts, name, name_en, address, address_en = row[:_WIDTH]
    both = (Bilingual(name, name_en), Bilingual(address, address_en))
    return ListedVisit._make((*facts, *both, 0, 0, False))


def _count_visits(session: Session, visits: Sequence[ListedVisit]) -> Sequence[ListedVisit]:
    if not visits:
        return []
    is_done = cast(case((Task.state == TaskState.DONE, 1), else_=0), Integer)
    rows = session.execute(
        select(Task.visit_id, func.count(Task.id), func.sum(is_done))
        .where(Task.visit_id.in_([visit.id for visit in visits]))
        .group_by(Task.visit_id)
    )
    counts = {row[0]: (row[1], int(row[2])) for row in rows}
    found = ((visit, counts.get(visit.id, (0, 0))) for visit in visits)
    return [visit._replace(tasks=count[0], done=count[1]) for visit, count in found]
