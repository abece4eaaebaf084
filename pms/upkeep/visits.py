"""Visits: lists, records, locks, and the tasks of a visit."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple, TypeVarTuple

from sqlalchemy import Integer, Select, case, cast, false, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.models import Building
from pms.foundation.audit import note_audit_event, note_change
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TaskState, TicketStep
from pms.upkeep.boards import TaskCard, asked_cards, read_cards
from pms.upkeep.models import Task, Visit
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.ticket_updates import tell_tickets


def note_visit(work: Work, audit_event: AuditEvent, visit: Visit, *, count: int) -> None:
    """Record an audit event of a visit: person, building, day and the number of tasks."""
    facts = {
        "person_id": visit.person_id,
        "building_id": visit.building_id,
        "visit_on": visit.on_day,
        "note": visit.note,
        "tasks": count,
    }
    noted = {name: value for name, value in facts.items() if value is not None}
    note_audit_event(work, audit_event, ("visit", visit.id), after=noted)


MOST_TASKS = 100


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


def tasks_to_visit(
    session: Session,
    visit: Visit,
    task_ids: Iterable[str],
    visibility: TaskVisibility,
    *,
    may_take_over: bool,
) -> list[Task]:
    """Return the given tasks that are not part of the visit yet, locked, in the given order.

    Raises `Refused` for a task that is unknown, of another building or done, and `Collision` for
    one of another visit, unless it may be taken over.
    """
    wanted = list(dict.fromkeys(task_ids))
    if not wanted:
        raise Refused("taskIds: choose at least one task.")
    if len(wanted) > MOST_TASKS:
        raise Refused("taskIds: choose at most {most} tasks.", most=MOST_TASKS)
    found = _lock_visible_tasks(session, wanted, visibility)
    if len(found) < len(wanted):
        raise Refused("taskIds: one of these tasks was not found.")
    tasks = [task for task in (found[task_id] for task_id in wanted) if task.visit_id != visit.id]
    _refuse_unfit(visit, tasks)
    if not may_take_over and any(task.visit_id for task in tasks):
        raise Collision("taskIds: one of these tasks belongs to another visit.")
    return tasks


def put_tasks(work: Work, *, visit: Visit, tasks: Sequence[Task], standing: Sequence[Task]) -> None:
    """Append tasks to those of the visit, each assigned to the visit's person.

    Residents with a ticket about the work are informed of the day. A visit whose last task was
    taken over is deleted.
    """
    left = [task.visit_id for task in tasks if task.visit_id]
    for task in tasks:
        task.visit_id = visit.id
        if task.assignee_id != visit.person_id:
            task.assignee_id = visit.person_id
            task.version += 1
            note_change(work, AuditEvent.TASK_ASSIGNED, task)
    number_tasks([*standing, *tasks])
    work.session.flush()
    drop_empty_visits(work, left)
    for project_id in _list_project_ids(tasks):
        tell_tickets(work, step=TicketStep.VISIT_PLANNED, project_id=project_id, on=visit.on_day)


def take_out(work: Work, *, tasks: Sequence[Task]) -> None:
    """Remove tasks from their visit: they keep their assignee and may be planned again.

    Residents who were told a day are informed that the work is being planned.
    """
    for task in tasks:
        task.visit_id = task.visit_position = None
    work.session.flush()
    for project_id in _list_project_ids(task for task in tasks if task.state != TaskState.DONE):
        if not _is_planned(work.session, project_id):
            step = TicketStep.PLANNED
            tell_tickets(work, step=step, project_id=project_id)


def number_tasks(tasks: Sequence[Task]) -> None:
    """Store the order of tasks, counted from 1."""
    for place, task in enumerate(tasks, start=1):
        task.visit_position = place


def leave_visit(work: Work, task: Task) -> None:
    """Remove a task from its visit, which is deleted with its last one."""
    left = [task.visit_id] if task.visit_id else []
    if left:
        take_out(work, tasks=[task])
        drop_empty_visits(work, left)


def drop_empty_visits(work: Work, visit_ids: Iterable[str]) -> None:
    """Cancel those of the visits that have no task any more."""
    for visit_id in sorted(set(visit_ids)):
        visit = work.session.scalar(select(Visit).where(Visit.id == visit_id).with_for_update())
        # Queried once no other transaction can add a task.
        holds = work.session.scalar(select(Task.id).where(Task.visit_id == visit_id).limit(1))
        if holds is None and visit is not None:
            note_visit(work, AuditEvent.VISIT_CANCELLED, visit, count=0)
            work.session.delete(visit)
    work.session.flush()


def _lock_visible_tasks(
    session: Session, task_ids: Sequence[str], visibility: TaskVisibility
) -> dict[str, Task]:
    known = [task_id for task_id in task_ids if is_id(task_id)]
    question = visibility.narrow(select(Task).where(Task.id.in_(known)))
    rows = session.scalars(
        question.order_by(Task.id).with_for_update().execution_options(populate_existing=True)
    )
    return {task.id: task for task in rows}


def _refuse_unfit(visit: Visit, tasks: Iterable[Task]) -> None:
    for task in tasks:
        if task.building_id != visit.building_id:
            raise Refused("taskIds: one of these tasks belongs to another building.")
        if task.state == TaskState.DONE:
            raise Refused("taskIds: one of these tasks is already done.")


def _list_project_ids(tasks: Iterable[Task]) -> Sequence[str]:
    return sorted({task.project_id for task in tasks if task.project_id})


def _is_planned(session: Session, project_id: str) -> bool:
    planned = select(Task.id).where(
        Task.project_id == project_id,
        Task.visit_id.is_not(None),
        Task.state != TaskState.DONE,
    )
    return session.scalar(planned.limit(1)) is not None


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
    return _mark_visits(
        _count_visits(session, [_read_visit(row) for row in session.execute(question)])
    )


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


def _mark_visits(visits: Iterable[ListedVisit]) -> Sequence[ListedVisit]:
    listed = list(visits)
    trips = Counter((visit.on_day, visit.person_id) for visit in listed)
    return [
        visit._replace(is_one_of_several=trips[visit.on_day, visit.person_id] > 1)
        for visit in listed
    ]
