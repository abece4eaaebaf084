"""Lists scheduled viewings by day, place and status."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.catalogue.find_units import is_building, is_unit
from pms.catalogue.models import Building, Unit
from pms.enquiries.models import Viewing
from pms.foundation.paging import Paging
from pms.rules.days import JAPAN
from pms.rules.enumerations import ViewingStatus


class ViewingSearch(NamedTuple):
    """What a list of viewings asks for; both days are included, unset filters keep everything."""

    from_on: date | None = None
    to_on: date | None = None
    building: str | None = None
    unit: str | None = None
    status: ViewingStatus | None = None


class ViewingRecord(NamedTuple):
    """One viewing with its place and visitor."""

    id: str
    status: ViewingStatus
    starts_at: datetime
    duration_minutes: int
    visitor_name: str
    visitor_email: str | None
    visitor_phone: str | None
    visitor_locale: str
    note: str | None
    created_at: datetime
    updated_at: datetime
    unit_id: str
    unit_name: str
    building_id: str
    building_name: str


_WHERE_IT_IS = (Unit.workspace_id == Viewing.workspace_id) & (Unit.id == Viewing.unit_id)
_COUNT = select(func.count()).select_from(Viewing).join(Unit, _WHERE_IT_IS).join(Unit.building)
_RECORDS = (
    select(
        Viewing.id,
        Viewing.status,
        Viewing.starts_at,
        Viewing.duration_minutes,
        Viewing.visitor_name,
        Viewing.visitor_email,
        Viewing.visitor_phone,
        Viewing.visitor_locale,
        Viewing.note,
        Viewing.created_at,
        Viewing.updated_at,
        Unit.id,
        Unit.name,
        Building.id,
        Building.name,
    )
    .join(Unit, _WHERE_IT_IS)
    .join(Unit.building)
    .order_by(Viewing.starts_at, Viewing.id)
)


def list_viewings(
    session: Session, search: ViewingSearch, paging: Paging
) -> tuple[Sequence[ViewingRecord], int]:
    """Return one page of the matching viewings, earliest first, and how many match in all."""
    conditions = list(_conditions(search))
    total = session.scalar(_COUNT.where(*conditions)) or 0
    page = _RECORDS.where(*conditions).offset(min(paging.offset, total)).limit(paging.limit)
    rows = session.execute(page)
    return [ViewingRecord._make(row) for row in rows], total


def _conditions(search: ViewingSearch) -> Iterator[ColumnElement[bool]]:
    if search.from_on:
        yield Viewing.starts_at >= _midnight(search.from_on)
    if search.to_on:
        yield Viewing.starts_at < _midnight(search.to_on + timedelta(days=1))
    if search.building:
        yield is_building(search.building)
    if search.unit:
        yield is_unit(search.unit)
    if search.status:
        yield Viewing.status == search.status


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), JAPAN)
