"""Takes one report out of its project, for one that was folded by mistake."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision
from pms.foundation.tenancy import workspace_of
from pms.rules.deeds import Deed
from pms.rules.enumerations import RequestState, TicketStep
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.tell_tickets import tell_tickets
from pms.upkeep.upkeep_in_hand import no_report, open_project_in_hand, requests_in_hand


def unfold_request(session: Session, clock: Clock, actor: str, *, request_id: str) -> None:
    """Put the report back among the open ones; its project keeps its tasks and the rest.

    Raises `Refused` for a project that is over, `Collision` for a report that is in none.
    """
    known = session.get(MaintenanceRequest, (workspace_of(session), request_id))
    if known is None:
        raise no_report(request_id)
    project_id = _project(known)
    open_project_in_hand(session, project_id)
    (row,) = requests_in_hand(session, [request_id])
    if _project(row) != project_id:
        raise Collision("This report became part of another project meanwhile.")
    row.state, row.project_id = RequestState.REPORTED, None
    row.version += 1
    note_change(session, clock, actor, Deed.REQUEST_UNFOLDED, row)
    session.flush()
    tell_tickets(session, clock, actor, step=TicketStep.RECEIVED, request_id=row.id)


def _project(row: MaintenanceRequest) -> str:
    if row.state != RequestState.FOLDED or row.project_id is None:
        raise Collision("This report is part of no project.")
    return row.project_id
