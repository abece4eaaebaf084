"""Takes a project or reports in hand to change them: locked, and as they are now."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.enumerations import ProjectState
from pms.rules.project_number import project_number
from pms.upkeep.models import MaintenanceProject, MaintenanceRequest


def project_in_hand(session: Session, project_id: str) -> MaintenanceProject:
    """Return the project, locked; raise `NotFound` for an id of nobody here."""
    question = select(MaintenanceProject).where(MaintenanceProject.id == project_id)
    found = None
    if is_id(project_id):
        found = session.scalar(question.with_for_update().execution_options(populate_existing=True))
    if found is None:
        raise NotFound("There is no project '{project_id}'.", project_id=project_id[:60])
    return found


def open_project_in_hand(session: Session, project_id: str) -> MaintenanceProject:
    """Return the project, locked; raise `Refused` when its work is over."""
    project = project_in_hand(session, project_id)
    if project.state != ProjectState.OPEN:
        raise Refused(
            "state: {number} is {state}. Reopen it first.",
            number=project_number(project.number),
            state=project.state,
        )
    return project


def requests_in_hand(session: Session, request_ids: Sequence[str]) -> list[MaintenanceRequest]:
    """Return reports, locked in the order of their ids; raise `NotFound` if one is not here."""
    wanted = set(request_ids)
    for request_id in wanted:
        if not is_id(request_id):
            raise _no_report(request_id)
    question = (
        select(MaintenanceRequest)
        .where(MaintenanceRequest.id.in_(wanted))
        .order_by(MaintenanceRequest.id)
    )
    rows = session.scalars(
        question.with_for_update().execution_options(populate_existing=True)
    ).all()
    missing = wanted - {row.id for row in rows}
    if missing:
        raise _no_report(min(missing))
    return list(rows)


def _no_report(request_id: str) -> NotFound:
    return NotFound("There is no report '{request_id}'.", request_id=request_id[:60])
