"""Lists reports of problems by state, building and words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.paging import Paging
from pms.rules.enumerations import RequestState
from pms.upkeep.matching_words import holds_words
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.request_record import REQUESTS, RequestRecord, request_of


class RequestSearch(NamedTuple):
    """What a list of reports asks for; filters that are not set keep everything."""

    state: RequestState | None = RequestState.REPORTED
    building_id: str | None = None
    unit_id: str | None = None
    reported_by: str | None = None
    text: str = ""


class FoundRequests(NamedTuple):
    """One page of reports, and how many there are in all."""

    requests: Sequence[RequestRecord]
    total: int


def request_list(session: Session, search: RequestSearch, paging: Paging) -> FoundRequests:
    """Return one page of the reports, the newest first."""
    asked = list(_conditions(search))
    count = (
        select(func.count())
        .select_from(MaintenanceRequest)
        .outerjoin(
            Unit,
            (Unit.workspace_id == MaintenanceRequest.workspace_id)
            & (Unit.id == MaintenanceRequest.unit_id),
        )
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
    """Return by report how many other open reports there are of the same unit."""
    units = {one.unit_id for one in found if one.unit_id and one.is_open}
    rows = session.execute(
        select(MaintenanceRequest.unit_id, func.count())
        .where(
            MaintenanceRequest.unit_id.in_(units),
            MaintenanceRequest.state == RequestState.REPORTED,
        )
        .group_by(MaintenanceRequest.unit_id)
    )
    counts = {unit_id: count for unit_id, count in rows}  # noqa: C416  # rows are no pairs to mypy
    return {one.id: counts[one.unit_id] - 1 for one in found if one.is_open and one.unit_id}


def _conditions(search: RequestSearch) -> Iterator[ColumnElement[bool]]:
    if search.state:
        yield MaintenanceRequest.state == search.state
    if search.building_id:
        yield MaintenanceRequest.building_id == search.building_id
    if search.unit_id:
        yield MaintenanceRequest.unit_id == search.unit_id
    if search.reported_by:
        yield MaintenanceRequest.reported_by == search.reported_by
    if search.text:
        yield holds_words(search.text, MaintenanceRequest.what, Unit.name)
