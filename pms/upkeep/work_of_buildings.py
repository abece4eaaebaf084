"""How much work goes on in buildings, as their owners are told: projects, never tasks or people."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.paging import Paging
from pms.foundation.prepared import one_of
from pms.rules.enumerations import ProjectState
from pms.upkeep.models import MaintenanceProject, MaintenanceRequest
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


class OwnersProject(NamedTuple):
    """A project as the owner is told of it; its title unless a resident may have worded it."""

    project: ProjectRecord
    title: str | None
    cost_yen: int


def projects_with_cost(
    session: Session, building_id: str, paging: Paging
) -> tuple[Sequence[OwnersProject], int]:
    """Return one page of a building's projects, the newest first, each with its cost in yen."""
    found = project_list(session, ProjectSearch(state=None, building_id=building_id), paging)
    ids = [project.id for project in found.projects]
    costs, worded = costs_of_projects(session, ids), _worded_by_residents(session, ids)
    told = [
        OwnersProject(one, None if one.id in worded else one.title, costs[one.id].total_yen)
        for one in found.projects
    ]
    return told, found.total


def _worded_by_residents(session: Session, project_ids: Sequence[str]) -> set[str]:
    # A report's first line becomes the title: it may hold a name or a telephone number.
    asked = select(MaintenanceRequest.project_id).where(
        one_of(MaintenanceRequest.project_id, project_ids),
        MaintenanceRequest.reservation_id.is_not(None),
    )
    return {id_ for id_ in session.scalars(asked) if id_}
