"""Takes a project or reports in hand to change them: locked, and as they are now."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.rules.enumerations import ProjectState
from pms.rules.project_number import project_number
from pms.upkeep.models import MaintenanceProject, MaintenanceRequest, Task


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
    refuse_if_over(project)
    return project


def refuse_if_over(project: MaintenanceProject) -> None:
    """Raise `Refused` when the work of a project is over."""
    if project.state != ProjectState.OPEN:
        raise Refused(
            "state: {number} is {state}. Reopen it first.",
            number=project_number(project.number),
            state=project.state,
        )


def project_of_task(session: Session, task_id: str) -> MaintenanceProject | None:
    """Return the project of a task, if it has one, locked before the task.

    The order of locks is in docs/decisions/locks-and-retries.md.
    """
    if not is_id(task_id):
        return None
    asked = select(Task.project_id).where(Task.id == task_id)
    project_id = session.scalar(asked)
    return None if project_id is None else project_in_hand(session, project_id)


def requests_in_hand(session: Session, request_ids: Sequence[str]) -> list[MaintenanceRequest]:
    """Return reports, locked in the order of their ids; raise `NotFound` if one is not here."""
    wanted = set(request_ids)
    for request_id in wanted:
        if not is_id(request_id):
            raise no_report(request_id)
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
        raise no_report(min(missing))
    return list(rows)


def no_report(request_id: str) -> NotFound:
    """Return the refusal of a report that is not here."""
    return NotFound("There is no report '{request_id}'.", request_id=request_id[:60])
