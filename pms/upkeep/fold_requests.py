"""Folds one or many reports into a project: a new one, or one that is open."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.rules.deeds import Deed
from pms.rules.enumerations import RequestState, TicketStep
from pms.upkeep.first_line import first_line
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.open_project import WantedProject, open_project
from pms.upkeep.tell_tickets import tell_tickets
from pms.upkeep.upkeep_in_hand import open_project_in_hand, requests_in_hand


def fold_requests(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    request_ids: Sequence[str],
    project_id: str | None = None,
    title: str | None = None,
) -> str:
    """Return the id of the project that the reports are part of now, and tell their tickets.

    Without a project one is opened, named by `title` or by the first line of the first report.
    A report that is part of the project already stays so. Raises `Refused` for reports of
    several buildings and for a project that is over, `Collision` when somebody else folded or
    closed one of them.
    """
    if not request_ids:
        raise Refused("requestIds: choose at least one report.")
    # The project before its reports, as everywhere: two deeds never wait for each other.
    project = open_project_in_hand(session, project_id) if project_id else None
    rows = requests_in_hand(session, request_ids)
    if len({row.building_id for row in rows}) > 1:
        raise Refused("requestIds: these reports are of several buildings.")
    if project is not None and project.building_id != rows[0].building_id:
        raise Refused("projectId: this project is of another building.")
    moving = [row for row in rows if not _is_part(row, project_id)]
    _refuse_taken(moving)
    into = project_id or _open(session, clock, actor, rows, title)
    for row in moving:
        _fold(session, clock, actor, row, into)
    return into


def _is_part(row: MaintenanceRequest, project_id: str | None) -> bool:
    return row.state == RequestState.FOLDED and row.project_id == project_id


def _refuse_taken(rows: Sequence[MaintenanceRequest]) -> None:
    if any(row.state == RequestState.FOLDED for row in rows):
        raise Collision("A report became part of another project meanwhile. Look at it again.")
    if any(row.state == RequestState.CLOSED for row in rows):
        raise Collision("A report was closed meanwhile. Look at it again.")


def _open(
    session: Session,
    clock: Clock,
    actor: str,
    rows: Sequence[MaintenanceRequest],
    title: str | None,
) -> str:
    units = {row.unit_id for row in rows}
    wanted = WantedProject(
        building_id=rows[0].building_id,
        unit_id=rows[0].unit_id if len(units) == 1 else None,
        title=title or first_line(rows[0].what),
    )
    return open_project(session, clock, actor, wanted=wanted)


def _fold(
    session: Session, clock: Clock, actor: str, row: MaintenanceRequest, project_id: str
) -> None:
    row.state, row.project_id = RequestState.FOLDED, project_id
    row.version += 1
    note_change(session, clock, actor, Deed.REQUEST_FOLDED, row)
    session.flush()
    tell_tickets(session, clock, actor, step=TicketStep.PLANNED, request_id=row.id)
