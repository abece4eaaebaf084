"""Reported problems as their list and page show them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.reservations.models import Reservation
from pms.rules.enumerations import RequestState
from pms.rules.upkeep_cost import project_number
from pms.upkeep.models import MaintenanceProject, MaintenanceRequest
from pms.upkeep.task_visibility import holds_words
from pms.upkeep.ticket_updates import first_line


class RequestRecord(NamedTuple):
    """A report with its place; `resident_name` is for the office only.

    An open report with a project came back from one that was cancelled.
    """

    id: str
    what: str
    state: RequestState
    may_enter: bool | None
    building_id: str
    building: Bilingual
    unit_id: str | None
    unit_name: str | None
    reservation_id: str | None
    resident_name: str | None
    project_id: str | None
    project_count: int | None
    reported_at: datetime
    reported_by: str
    closed_at: datetime | None
    closed_by: str | None
    closed_because: str | None

    @property
    def title(self) -> str:
        """The first line of the report."""
        return first_line(self.what)

    @property
    def project_name(self) -> str | None:
        """Its project's name for people: PRJ-0042."""
        return None if self.project_count is None else project_number(self.project_count)

    @property
    def is_taken_down(self) -> bool:
        """Whether somebody else entered the report for the resident."""
        return self.reservation_id is not None and not self.reported_by.startswith("reservation/")

    @property
    def is_open(self) -> bool:
        """Whether nothing has been decided about it yet."""
        return self.state == RequestState.REPORTED

    @property
    def is_folded(self) -> bool:
        """Whether it is part of an open project."""
        return self.state == RequestState.FOLDED


REQUESTS = (
    select(
        MaintenanceRequest.id,
        MaintenanceRequest.what,
        MaintenanceRequest.state,
        MaintenanceRequest.may_enter,
        Building.id,
        Building.name,
        Building.name_en,
        Unit.id,
        Unit.name,
        MaintenanceRequest.reservation_id,
        Reservation.name,
        MaintenanceRequest.project_id,
        MaintenanceProject.number,
        MaintenanceRequest.reported_at,
        MaintenanceRequest.reported_by,
        MaintenanceRequest.closed_at,
        MaintenanceRequest.closed_by,
        MaintenanceRequest.closed_because,
    )
    .select_from(MaintenanceRequest)
    .join(Building, refers_to(MaintenanceRequest.building_id, Building))
    .outerjoin(Unit, refers_to(MaintenanceRequest.unit_id, Unit))
    .outerjoin(Reservation, refers_to(MaintenanceRequest.reservation_id, Reservation))
    .outerjoin(MaintenanceProject, refers_to(MaintenanceRequest.project_id, MaintenanceProject))
)
_OLDEST_FIRST = (MaintenanceRequest.reported_at, MaintenanceRequest.id)


def request_record(session: Session, request_id: str) -> RequestRecord:
    """Return the report; raise `NotFound` for an unknown id."""
    wanted = REQUESTS.where(MaintenanceRequest.id == request_id)
    row = session.execute(wanted).first() if is_id(request_id) else None
    if row is None:
        raise no_such("report", request_id)
    return request_of(row)


def request_of(row: Sequence[Any]) -> RequestRecord:
    """Return the record of a row of `REQUESTS`."""
    return RequestRecord._make([*row[:5], Bilingual(row[5], row[6]), *row[7:]])


def requests_of_project(session: Session, project_id: str) -> Sequence[RequestRecord]:
    """Return the reports that are or were part of a project, oldest first."""
    wanted = REQUESTS.where(MaintenanceRequest.project_id == project_id).order_by(*_OLDEST_FIRST)
    return [request_of(row) for row in session.execute(wanted)]


def chosen_requests(session: Session, request_ids: Sequence[str]) -> Sequence[RequestRecord]:
    """Return the reports of these ids that exist, oldest first."""
    known = [request_id for request_id in request_ids if is_id(request_id)]
    wanted = REQUESTS.where(MaintenanceRequest.id.in_(known)).order_by(*_OLDEST_FIRST)
    return [request_of(row) for row in session.execute(wanted)]


class RequestSearch(NamedTuple):
    """Filters of a list of reports; unset ones match everything."""

    state: RequestState | None = RequestState.REPORTED
    building_id: str | None = None
    unit_id: str | None = None
    reported_by: str | None = None
    text: str = ""


class FoundRequests(NamedTuple):
    """One page of reports, and the total count."""

    requests: Sequence[RequestRecord]
    total: int


def request_list(session: Session, search: RequestSearch, paging: Paging) -> FoundRequests:
    """Return one page of the reports, newest first."""
    asked: list[ColumnElement[bool]] = []
    if search.state:
        asked.append(MaintenanceRequest.state == search.state)
    if search.building_id:
        asked.append(MaintenanceRequest.building_id == search.building_id)
    if search.unit_id:
        asked.append(MaintenanceRequest.unit_id == search.unit_id)
    if search.reported_by:
        asked.append(MaintenanceRequest.reported_by == search.reported_by)
    if search.text:
        asked.append(holds_words(search.text, MaintenanceRequest.what, Unit.name))
    count = (
        select(func.count())
        .select_from(MaintenanceRequest)
        .outerjoin(Unit, refers_to(MaintenanceRequest.unit_id, Unit))
    )
    total = session.scalar(count.where(*asked)) or 0
    page = (
        REQUESTS.where(*asked)
        .order_by(MaintenanceRequest.reported_at.desc(), MaintenanceRequest.id.desc())
        .offset(min(paging.offset, total))
        .limit(paging.limit)
    )
    return FoundRequests([request_of(row) for row in session.execute(page)], total)


def open_twins(session: Session, found: Sequence[RequestRecord]) -> Mapping[str, int]:
    """Return, by report, the number of other open reports of the same unit."""
    units = {request.unit_id for request in found if request.unit_id and request.is_open}
    rows = session.execute(
        select(MaintenanceRequest.unit_id, func.count())
        .where(
            MaintenanceRequest.unit_id.in_(units),
            MaintenanceRequest.state == RequestState.REPORTED,
        )
        .group_by(MaintenanceRequest.unit_id)
    )
    counts = {unit_id: count for unit_id, count in rows}  # noqa: C416  # rows are no pairs to mypy
    return {
        request.id: counts[request.unit_id] - 1
        for request in found
        if request.is_open and request.unit_id
    }
