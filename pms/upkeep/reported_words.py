"""The reports of a project in their own words, without names; closing and unfolding reports."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_TEXT, needed_text
from pms.catalogue.models import Unit
from pms.foundation.audit import note_change
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.tenancy import refers_to, workspace_of
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import RequestState, TicketStep
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.tasks import lock_open_project, lock_requests
from pms.upkeep.ticket_updates import tell_tickets


def close_request(work: Work, *, request_id: str, because: str | None) -> None:
    """Close a report that is not part of a project; the others close with their project.

    Raises `Refused` without a reason and for a part of a project, `Collision` when it is closed.
    """
    reason = needed_text("because", because, LONGEST_TEXT)
    (row,) = lock_requests(work.session, [request_id])
    if row.state == RequestState.FOLDED:
        raise Refused("state: this report belongs to a project and closes with it.")
    if row.state == RequestState.CLOSED:
        raise Collision("This report is already closed.")
    row.state, row.closed_because = RequestState.CLOSED, reason
    row.closed_at, row.closed_by = work.clock.now(), work.actor
    row.version += 1
    note_change(work, AuditEvent.REQUEST_CLOSED, row)
    work.session.flush()


def unfold_request(work: Work, *, request_id: str) -> None:
    """Open the report again; its project keeps its tasks and everything else.

    Raises `Refused` for a project that is over, `Collision` for a report that is in none.
    """
    known = work.session.get(MaintenanceRequest, (workspace_of(work.session), request_id))
    if known is None:
        raise no_such("report", request_id)
    project_id = _find_project_id(known)
    lock_open_project(work.session, project_id)
    (row,) = lock_requests(work.session, [request_id])
    if _find_project_id(row) != project_id:
        raise Collision("This report was moved to another project in the meantime.")
    row.state, row.project_id = RequestState.REPORTED, None
    row.version += 1
    note_change(work, AuditEvent.REQUEST_UNFOLDED, row)
    work.session.flush()
    tell_tickets(work, step=TicketStep.RECEIVED, request_id=row.id)


def _find_project_id(row: MaintenanceRequest) -> str:
    if row.state != RequestState.FOLDED or row.project_id is None:
        raise Collision("This report belongs to no project.")
    return row.project_id


_MOST_REPORTED: Final = 5
_LONGEST: Final = 2_000


class ReportedWords(NamedTuple):
    """One report as shown to a contractor; without a unit it is about the shared areas."""

    what: str
    may_enter: bool | None
    is_open: bool
    """Whether the problem still exists."""
    unit_name: str | None
    reported_at: datetime

    @property
    def is_only_together(self) -> bool:
        """Whether the resident wants to be present when the work is done."""
        return self.is_open and self.may_enter is False


class Reported(NamedTuple):
    """The newest reports of a project, and the total count."""

    reports: Sequence[ReportedWords] = ()
    total: int = 0

    @property
    def is_only_together(self) -> bool:
        """Whether any of the units may be entered only with the resident present."""
        return any(report.is_only_together for report in self.reports)

    @property
    def together(self) -> Sequence[str]:
        """The units that may be entered only with the resident present, each once."""
        names = (report.unit_name for report in self.reports if report.is_only_together)
        return sorted({name for name in names if name})


_IS_OPEN: Final = MaintenanceRequest.state == RequestState.FOLDED
_ALONE_LAST: Final = case((and_(_IS_OPEN, MaintenanceRequest.may_enter.is_(False)), 0), else_=1)
_REPORTED: Final = (
    select(
        func.substr(MaintenanceRequest.what, 1, _LONGEST + 1),
        MaintenanceRequest.may_enter,
        MaintenanceRequest.state,
        Unit.name,
        MaintenanceRequest.reported_at,
        func.count().over(),
    )
    .outerjoin(Unit, refers_to(MaintenanceRequest.unit_id, Unit))
    # A report that came back from a cancelled project only remembers where it was.
    .where(MaintenanceRequest.state != RequestState.REPORTED)
    .order_by(_ALONE_LAST, MaintenanceRequest.reported_at.desc(), MaintenanceRequest.id.desc())
    .limit(_MOST_REPORTED)
)


def reported_words(session: Session, project_id: str | None) -> Reported:
    """Return the reports of a project, newest first; work without a project has none.

    A report whose resident wants to be present is always included. The caller has checked that the
    project, or a task of it, is visible.
    """
    if project_id is None:
        return Reported()
    rows = session.execute(_REPORTED.where(MaintenanceRequest.project_id == project_id)).all()
    reports = [
        ReportedWords(
            what if len(what) <= _LONGEST else f"{what[:_LONGEST]}…",
            may_enter,
            state == RequestState.FOLDED,
            unit_name,
            at,
        )
        for what, may_enter, state, unit_name, at, _count in rows
    ]
    newest_first = sorted(reports, key=lambda report: report.reported_at, reverse=True)
    return Reported(newest_first, rows[0][-1] if rows else 0)
