"""One project as it stands: its number, what it is about, and where."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.enumerations import ProjectState
from pms.rules.project_number import project_number
from pms.upkeep.models import MaintenanceProject


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
        """What people call it: PRJ-0042."""
        return project_number(self.number)

    @property
    def is_open(self) -> bool:
        """Whether its work goes on."""
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
    .join(
        Building,
        and_(
            Building.workspace_id == MaintenanceProject.workspace_id,
            Building.id == MaintenanceProject.building_id,
        ),
    )
    .outerjoin(
        Unit,
        and_(
            Unit.workspace_id == MaintenanceProject.workspace_id,
            Unit.id == MaintenanceProject.unit_id,
        ),
    )
)


def project_record(session: Session, project_id: str) -> ProjectRecord:
    """Return the project; raise `NotFound` for an id of nobody here."""
    wanted = PROJECTS.where(MaintenanceProject.id == project_id)
    row = session.execute(wanted).first() if is_id(project_id) else None
    if row is None:
        raise NotFound("There is no project '{project_id}'.", project_id=project_id[:60])
    return record_of(row)


def record_of(row: Sequence[Any]) -> ProjectRecord:
    """Return the record of a row of `PROJECTS`."""
    return ProjectRecord._make([*row[:6], Bilingual(row[6], row[7]), *row[8:]])
