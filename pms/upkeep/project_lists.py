"""Projects as their list and page show them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, case, func, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.rules.enumerations import HoldReason, ProjectState, TaskKind, TaskState
from pms.rules.upkeep_cost import (
    Bought,
    CostOfWork,
    WorkedTime,
    cost_of_work,
    project_number,
    read_project_number,
)
from pms.upkeep.models import HoursLog, MaintenanceProject, Purchase, Task
from pms.upkeep.task_visibility import STANDS, holds_words


def project_cost(session: Session, project_id: str) -> CostOfWork:
    """Return a project's cost in whole yen, by category."""
    return costs_of_projects(session, [project_id])[project_id]


def costs_of_projects(session: Session, project_ids: Sequence[str]) -> Mapping[str, CostOfWork]:
    """Return the costs of several projects, in two queries."""
    hours: defaultdict[str, list[WorkedTime]] = defaultdict(list)
    bought: defaultdict[str, list[Bought]] = defaultdict(list)
    for project_id, minutes, hourly_yen in session.execute(
        select(HoursLog.project_id, HoursLog.minutes, HoursLog.hourly_yen).where(
            HoursLog.project_id.in_(project_ids), HoursLog.removed_at.is_(None)
        )
    ):
        hours[project_id].append(WorkedTime(minutes, hourly_yen))
    for project_id, category, amount_yen in session.execute(
        select(Purchase.project_id, Purchase.category, Purchase.amount_yen).where(
            Purchase.project_id.in_(project_ids), Purchase.removed_at.is_(None)
        )
    ):
        bought[project_id].append(Bought(category, amount_yen))
    return {id_: cost_of_work(hours[id_], bought[id_]) for id_ in project_ids}


_ORDER = case(
    (Task.state == TaskState.DOING, 0),
    (Task.state == TaskState.ON_HOLD, 1),
    (Task.state == TaskState.TODO, 2),
    else_=3,
)


class ProjectTask(NamedTuple):
    """One task of a project, as its page lists it."""

    id: str
    title: str | None
    kind: TaskKind
    state: TaskState
    hold_reason: HoldReason | None
    due_on: date | None
    assignee_id: str | None
    unit_name: str | None
    cancelled_at: datetime | None


class TasksOfProject(NamedTuple):
    """A project's number of tasks, without cancelled ones, and how many of them are not done."""

    total: int
    left: int


def project_tasks(session: Session, project_id: str) -> Sequence[ProjectTask]:
    """Return the tasks of a project: begun ones first, done and cancelled ones last."""
    rows = session.execute(
        select(
            Task.id,
            Task.title,
            Task.kind,
            Task.state,
            Task.hold_reason,
            Task.due_on,
            Task.assignee_id,
            Unit.name,
            Task.cancelled_at,
        )
        .outerjoin(Unit, refers_to(Task.unit_id, Unit))
        .where(Task.project_id == project_id)
        .order_by(_ORDER, Task.due_on, Task.id)
    )
    return [ProjectTask._make(row) for row in rows]


def tasks_of_projects(session: Session, project_ids: Sequence[str]) -> Mapping[str, TasksOfProject]:
    """Return the counts of several projects; a project without tasks is left out."""
    is_left = case((Task.state == TaskState.DONE, 0), else_=1)
    rows = session.execute(
        select(Task.project_id, func.count(), func.sum(is_left))
        .where(Task.project_id.in_(project_ids), STANDS)
        .group_by(Task.project_id)
    )
    return {id_ or "": TasksOfProject(total, int(left)) for id_, total, left in rows}


class ProjectRecord(NamedTuple):
    """A project with its place; without a unit it is about the shared areas of the building."""

    id: str
    number: int
    title: str
    description: str | None
    state: ProjectState
    building_id: str
    building: Bilingual
    unit_id: str | None
    unit_name: str | None
    opened_at: datetime
    opened_by: str
    ended_at: datetime | None
    ended_by: str | None
    version: int

    @property
    def name(self) -> str:
        """The project's name for people: PRJ-0042."""
        return project_number(self.number)

    @property
    def is_open(self) -> bool:
        """Whether the project is open."""
        return self.state == ProjectState.OPEN


PROJECTS = (
    select(
        MaintenanceProject.id,
        MaintenanceProject.number,
        MaintenanceProject.title,
        MaintenanceProject.description,
        MaintenanceProject.state,
        Building.id,
        Building.name,
        Building.name_en,
        Unit.id,
        Unit.name,
        MaintenanceProject.opened_at,
        MaintenanceProject.opened_by,
        MaintenanceProject.ended_at,
        MaintenanceProject.ended_by,
        MaintenanceProject.version,
    )
    .select_from(MaintenanceProject)
    .join(Building, refers_to(MaintenanceProject.building_id, Building))
    .outerjoin(Unit, refers_to(MaintenanceProject.unit_id, Unit))
)


def project_record(session: Session, project_id: str) -> ProjectRecord:
    """Return the project; raise `NotFound` for an unknown id."""
    wanted = PROJECTS.where(MaintenanceProject.id == project_id)
    row = session.execute(wanted).first() if is_id(project_id) else None
    if row is None:
        raise no_such("project", project_id)
    return record_of(row)


def record_of(row: Sequence[Any]) -> ProjectRecord:
    """Return the record of a row of `PROJECTS`."""
    return ProjectRecord._make([*row[:6], Bilingual(row[6], row[7]), *row[8:]])


MOST_TO_CHOOSE: Final = 100


class ProjectSearch(NamedTuple):
    """Filters of a list of projects; unset ones match everything."""

    state: ProjectState | None = ProjectState.OPEN
    building_id: str | None = None
    unit_id: str | None = None
    text: str = ""


class FoundProjects(NamedTuple):
    """One page of projects, and the total count."""

    projects: Sequence[ProjectRecord]
    total: int


def project_list(session: Session, search: ProjectSearch, paging: Paging) -> FoundProjects:
    """Return one page of the projects, highest number first."""
    asked: list[ColumnElement[bool]] = []
    if search.state:
        asked.append(MaintenanceProject.state == search.state)
    if search.building_id:
        asked.append(MaintenanceProject.building_id == search.building_id)
    if search.unit_id:
        asked.append(MaintenanceProject.unit_id == search.unit_id)
    if search.text:
        asked.append(_is_meant(search.text))
    count = (
        select(func.count())
        .select_from(MaintenanceProject)
        .outerjoin(Unit, refers_to(MaintenanceProject.unit_id, Unit))
    )
    total = session.scalar(count.where(*asked)) or 0
    page = (
        PROJECTS.where(*asked)
        .order_by(MaintenanceProject.number.desc())
        .offset(min(paging.offset, total))
        .limit(paging.limit)
    )
    return FoundProjects([record_of(row) for row in session.execute(page)], total)


def find_projects(session: Session, text: str, most: int) -> Sequence[ProjectRecord]:
    """Return the projects that contain the words, highest number first, at most so many."""
    rows = session.execute(
        PROJECTS.where(_is_meant(text)).order_by(MaintenanceProject.number.desc()).limit(most)
    )
    return [record_of(row) for row in rows]


def open_projects(
    session: Session, building_id: str, unit_id: str | None = None
) -> Sequence[ProjectRecord]:
    """Return the open projects of a building, or of one of its units, newest first."""
    search = ProjectSearch(building_id=building_id, unit_id=unit_id)
    return project_list(session, search, Paging(1, MOST_TO_CHOOSE)).projects


def _is_meant(text: str) -> ColumnElement[bool]:
    in_words = holds_words(
        text, MaintenanceProject.title, MaintenanceProject.description, Unit.name
    )
    number = read_project_number(text)
    return in_words if number is None else or_(MaintenanceProject.number == number, in_words)
