"""Folding reported problems into a project."""

from collections.abc import Sequence

from pms.foundation.audit import note_change
from pms.foundation.errors import Collision, Refused
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import RequestState, TicketStep
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.projects import WantedProject, open_project
from pms.upkeep.tasks import lock_open_project, lock_requests
from pms.upkeep.ticket_updates import first_line, tell_tickets


def fold_requests(
    work: Work,
    *,
    request_ids: Sequence[str],
    project_id: str | None = None,
    title: str | None = None,
) -> str:
    """Return the id of the project that the reports now belong to, and inform their tickets.

    Without a project a new one is opened, named by `title` or by the first line of the first
    report. A report that is part of the project already is left unchanged. Raises `Refused` for
    reports of several buildings and for a project that is over, `Collision` when somebody else
    folded or closed one of them.
    """
    if not request_ids:
        raise Refused("requestIds: choose at least one report.")
    # The project is locked before its reports, as everywhere, so that no deadlock can arise.
    project = lock_open_project(work.session, project_id) if project_id else None
    rows = lock_requests(work.session, request_ids)
    if len({row.building_id for row in rows}) > 1:
        raise Refused("requestIds: these reports come from more than one building.")
    if project is not None and project.building_id != rows[0].building_id:
        raise Refused("projectId: this project belongs to another building.")
    moving = [row for row in rows if not _is_part(row, project_id)]
    if any(row.state == RequestState.FOLDED for row in moving):
        raise Collision("A report was added to another project in the meantime. Check it again.")
    if any(row.state == RequestState.CLOSED for row in moving):
        raise Collision("A report was closed in the meantime. Check it again.")
    into = project_id or _open_project_of_requests(work, rows, title)
    for row in moving:
        row.state, row.project_id = RequestState.FOLDED, into
        row.version += 1
        note_change(work, AuditEvent.REQUEST_FOLDED, row)
        work.session.flush()
        tell_tickets(work, step=TicketStep.PLANNED, request_id=row.id)
    return into


def _is_part(row: MaintenanceRequest, project_id: str | None) -> bool:
    return row.state == RequestState.FOLDED and row.project_id == project_id


def _open_project_of_requests(
    work: Work, rows: Sequence[MaintenanceRequest], title: str | None
) -> str:
    units = {row.unit_id for row in rows}
    wanted = WantedProject(
        building_id=rows[0].building_id,
        unit_id=rows[0].unit_id if len(units) == 1 else None,
        title=title or first_line(rows[0].what),
    )
    return open_project(work, wanted=wanted)
