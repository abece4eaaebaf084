"""Lists visits by day and person, and tells one with its tasks in order."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Integer, case, cast, func, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.models import Building
from pms.foundation.bilingual import Bilingual
from pms.foundation.ids import is_id
from pms.rules.enumerations import TaskState
from pms.upkeep.models import Task, Visit
from pms.upkeep.reach import Reach
from pms.upkeep.task_cards import TaskCard, asked_cards, read_cards
from pms.upkeep.visit_in_hand import no_visit, visits_within


class ListedVisit(NamedTuple):
    """One visit of a list, with how many of its tasks there are and how many are done."""

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
    """Whether the person goes to another building the same day."""


class VisitRecord(NamedTuple):
    """One visit with its tasks in order, and where else the person goes that day."""

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
    .join(
        Building,
        (Building.workspace_id == Visit.workspace_id) & (Building.id == Visit.building_id),
    )
    .order_by(Visit.on_day, Person.name, Visit.person_id, Building.name, Visit.id)
)


def list_visits(
    session: Session,
    from_on: date,
    to_on: date,
    reach: Reach,
    *,
    person_id: str | None = None,
) -> Sequence[ListedVisit]:
    """Return the visits within reach of both days and those between, by day and person."""
    question = visits_within(_VISITS.where(Visit.on_day.between(from_on, to_on)), reach)
    if person_id is not None:
        question = question.where(Visit.person_id == person_id)
    return _marked(_counted(session, [_listed(row) for row in session.execute(question)]))


def visits_of_day(session: Session, person_id: str, on: date) -> Sequence[ListedVisit]:
    """Return where a person goes on a day."""
    return list_visits(session, on, on, Reach.everything(), person_id=person_id)


def visit_record(session: Session, visit_id: str, reach: Reach) -> VisitRecord:
    """Return one visit; raise `NotFound` for one that is nobody's here or out of reach.

    Its tasks are those that the reader may meet.
    """
    row: Any = None
    if is_id(visit_id):
        question = _VISITS.add_columns(Visit.planned_at, Visit.planned_by, Visit.version)
        row = session.execute(visits_within(question.where(Visit.id == visit_id), reach)).first()
    if row is None:
        raise no_visit(visit_id)
    visit = _listed(row)
    cards = session.execute(
        reach.narrow(asked_cards().where(Task.visit_id == visit_id)).order_by(
            Task.visit_position, Task.id
        )
    )
    day = list_visits(session, visit.on_day, visit.on_day, reach, person_id=visit.person_id)
    planned_at, planned_by, version = row[_WIDTH:]
    return VisitRecord(
        visit=next((one for one in day if one.id == visit_id), visit),
        planned_at=planned_at,
        planned_by=planned_by,
        version=version,
        cards=read_cards(cards),
        others=[one for one in day if one.id != visit_id],
    )


def _listed(row: Sequence[Any]) -> ListedVisit:
    *facts, name, name_en, address, address_en = row[:_WIDTH]
    both = (Bilingual(name, name_en), Bilingual(address, address_en))
    return ListedVisit._make((*facts, *both, 0, 0, False))


def _counted(session: Session, visits: Sequence[ListedVisit]) -> Sequence[ListedVisit]:
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


def _marked(visits: Iterable[ListedVisit]) -> Sequence[ListedVisit]:
    listed = list(visits)
    trips = Counter((visit.on_day, visit.person_id) for visit in listed)
    return [
        visit._replace(is_one_of_several=trips[visit.on_day, visit.person_id] > 1)
        for visit in listed
    ]
