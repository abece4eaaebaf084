"""How much work goes on in buildings, as their owners are told: projects, never tasks or people."""

from collections.abc import Mapping, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.paging import Paging
from pms.foundation.prepared import one_of
from pms.rules.enumerations import ProjectState
from pms.upkeep.models import MaintenanceProject
from pms.upkeep.project_cost import costs_of_projects
from pms.upkeep.project_list import ProjectSearch, project_list
from pms.upkeep.project_record import ProjectRecord


def open_work_of_buildings(session: Session, building_ids: Sequence[str]) -> Mapping[str, int]:
    """Return how many projects are open in each building that has any."""
    rows = session.execute(
        select(MaintenanceProject.building_id, func.count())
        .where(
            one_of(MaintenanceProject.building_id, building_ids),
            MaintenanceProject.state == ProjectState.OPEN,
        )
        .group_by(MaintenanceProject.building_id)
    )
    return dict(rows.all())


def projects_with_cost(
    session: Session, building_id: str, paging: Paging
) -> tuple[Sequence[tuple[ProjectRecord, int]], int]:
    """Return one page of a building's projects, the newest first, each with its cost in yen."""
    found = project_list(session, ProjectSearch(state=None, building_id=building_id), paging)
    costs = costs_of_projects(session, [project.id for project in found.projects])
    return [(project, costs[project.id].total_yen) for project in found.projects], found.total
