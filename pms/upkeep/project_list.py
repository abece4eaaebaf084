"""Lists projects by state, place, number and words; finds those that reports may go into."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.paging import Paging
from pms.rules.enumerations import ProjectState
from pms.rules.project_number import read_project_number
from pms.upkeep.matching_words import holds_words
from pms.upkeep.models import MaintenanceProject
from pms.upkeep.project_record import PROJECTS, ProjectRecord, record_of

MOST_TO_CHOOSE: Final = 100


class ProjectSearch(NamedTuple):
    """What a list of projects asks for; filters that are not set keep everything."""

    state: ProjectState | None = ProjectState.OPEN
    building_id: str | None = None
    unit_id: str | None = None
    text: str = ""


class FoundProjects(NamedTuple):
    """One page of projects, and how many there are in all."""

    projects: Sequence[ProjectRecord]
    total: int


def project_list(session: Session, search: ProjectSearch, paging: Paging) -> FoundProjects:
    """Return one page of the projects, the newest number first."""
    asked = list(_conditions(search))
    count = (
        select(func.count())
        .select_from(MaintenanceProject)
        .outerjoin(
            Unit,
            (Unit.workspace_id == MaintenanceProject.workspace_id)
            & (Unit.id == MaintenanceProject.unit_id),
        )
    )
    total = session.scalar(count.where(*asked)) or 0
    page = (
        PROJECTS.where(*asked)
        .order_by(MaintenanceProject.number.desc())
        .offset(min(paging.offset, total))
        .limit(paging.limit)
    )
    return FoundProjects([record_of(row) for row in session.execute(page)], total)


def open_projects(
    session: Session, building_id: str, unit_id: str | None = None
) -> Sequence[ProjectRecord]:
    """Return the open projects of a building, or of one of its units, the newest first."""
    search = ProjectSearch(building_id=building_id, unit_id=unit_id)
    return project_list(session, search, Paging(1, MOST_TO_CHOOSE)).projects


def _conditions(search: ProjectSearch) -> Iterator[ColumnElement[bool]]:
    if search.state:
        yield MaintenanceProject.state == search.state
    if search.building_id:
        yield MaintenanceProject.building_id == search.building_id
    if search.unit_id:
        yield MaintenanceProject.unit_id == search.unit_id
    if search.text:
        yield _is_meant(search.text)


def _is_meant(text: str) -> ColumnElement[bool]:
    in_words = holds_words(
        text, MaintenanceProject.title, MaintenanceProject.description, Unit.name
    )
    number = read_project_number(text)
    return in_words if number is None else or_(MaintenanceProject.number == number, in_words)
