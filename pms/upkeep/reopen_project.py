"""Takes a project that was ended up again."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.rules.enumerations import ProjectState, RequestState, TicketStep
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.tell_tickets import tell_tickets
from pms.upkeep.upkeep_in_hand import project_in_hand


def reopen_project(session: Session, clock: Clock, actor: str, *, project_id: str) -> None:
    """Open a project again, with the reports that were let go with it; its tickets are told.

    A report that was closed for a reason of its own or went into another project stays there.
    An open project is left as it is, and nothing is written.
    """
    row = project_in_hand(session, project_id)
    if row.state == ProjectState.OPEN:
        return
    row.state, row.ended_at, row.ended_by = ProjectState.OPEN, None, None
    row.version += 1
    note_change(session, clock, actor, Deed.PROJECT_REOPENED, row)
    for request in requests_let_go(session, project_id):
        request.state, request.closed_at, request.closed_by = RequestState.FOLDED, None, None
        request.version += 1
        note_change(session, clock, actor, Deed.REQUEST_FOLDED, request)
    session.flush()
    tell_tickets(session, clock, actor, step=TicketStep.REOPENED, project_id=project_id)


def requests_let_go(session: Session, project_id: str) -> list[MaintenanceRequest]:
    """Return the reports that a project had when it ended and that nobody took since, locked."""
    wanted = (
        select(MaintenanceRequest)
        .where(
            MaintenanceRequest.project_id == project_id,
            MaintenanceRequest.state != RequestState.FOLDED,
            MaintenanceRequest.closed_because.is_(None),
        )
        .order_by(MaintenanceRequest.id)
    )
    return list(session.scalars(wanted.with_for_update().execution_options(populate_existing=True)))
