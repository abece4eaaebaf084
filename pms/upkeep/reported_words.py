"""Tells what was reported of a project in its own words, and whether one may go in; never by whom."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.rules.enumerations import RequestState
from pms.upkeep.models import MaintenanceRequest

_MOST: Final = 5
_LONGEST: Final = 2_000


class ReportedWords(NamedTuple):
    """One report as it is read at the door; without a unit it is about the shared areas."""

    what: str
    may_enter: bool | None
    is_open: bool
    """Whether the problem is still there."""
    unit_name: str | None
    reported_at: datetime

    @property
    def is_only_together(self) -> bool:
        """Whether somebody wants to be there when the work is done."""
        return self.is_open and self.may_enter is False


class Reported(NamedTuple):
    """The newest reports of a project, and how many there are in all."""

    reports: Sequence[ReportedWords] = ()
    total: int = 0

    @property
    def is_only_together(self) -> bool:
        """Whether nobody goes in alone somewhere."""
        return any(one.is_only_together for one in self.reports)

    @property
    def together(self) -> Sequence[str]:
        """The units that nobody goes into alone, each once."""
        names = (one.unit_name for one in self.reports if one.is_only_together)
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
    .outerjoin(
        Unit,
        and_(
            Unit.workspace_id == MaintenanceRequest.workspace_id,
            Unit.id == MaintenanceRequest.unit_id,
        ),
    )
    # A report that came back from a cancelled project only remembers where it was.
    .where(MaintenanceRequest.state != RequestState.REPORTED)
    .order_by(_ALONE_LAST, MaintenanceRequest.reported_at.desc(), MaintenanceRequest.id.desc())
    .limit(_MOST)
)


def reported_words(session: Session, project_id: str | None) -> Reported:
    """Return what was reported of a project, the newest first; work of no project has nothing.

    A report that somebody wants to be there for is always among them. Whoever asks has met the
    project, or a task of it, within their own reach.
    """
    if project_id is None:
        return Reported()
    rows = session.execute(_REPORTED.where(MaintenanceRequest.project_id == project_id)).all()
    told = [
        ReportedWords(_short(what), may_enter, state == RequestState.FOLDED, unit_name, at)
        for what, may_enter, state, unit_name, at, _count in rows
    ]
    newest_first = sorted(told, key=lambda one: one.reported_at, reverse=True)
    return Reported(newest_first, rows[0][-1] if rows else 0)


def _short(what: str) -> str:
    return what if len(what) <= _LONGEST else f"{what[:_LONGEST]}…"
