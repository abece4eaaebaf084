"""Viewings of a week and of an enquiry, and their calendar files."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.availability.units import taken
from pms.catalogue.models import Building, Unit
from pms.catalogue.units import is_building, is_unit
from pms.enquiries.models import Viewing
from pms.foundation.phrases import Bilingual
from pms.foundation.run_records import Paging
from pms.rules.availability import Availability, decide
from pms.rules.days import JAPAN
from pms.rules.enumerations import ViewingStatus
from pms.workspaces.queries import policy as policy_of


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


class Opening(NamedTuple):
    """A unit and the day it is free from; without a notice or an end the day is only soft.

    A soft day comes from an expected departure or a contract that ends without a notice: it is
    for the waitlist alone and no move-in date (specification, Availability).
    """

    unit_id: str
    unit_name: str
    building_id: str
    building: Bilingual
    on: date
    is_confirmed: bool


def openings(session: Session, today: date) -> Sequence[Opening]:
    """Return what is free or may become free, the earliest first, confirmed before soft."""
    figures = policy_of(session)
    stays, blocks = taken(session, today, figures)
    units = session.execute(
        select(Unit.id, Unit.name, Building.id, Building.name, Building.name_en).join(Unit.building)
    )
    found = (
        _opening(
            Opening(unit_id, name, building_id, Bilingual(ja, en), today, False),
            decide(stays.get(unit_id, ()), blocks.get(unit_id, ()), today, figures),
        )
        for unit_id, name, building_id, ja, en in units
    )
    return sorted(_known(found), key=lambda one: (one.on, not one.is_confirmed, one.unit_name))


def _opening(unit: Opening, state: Availability) -> Opening | None:
    if state.move_in_from is not None:
        return unit._replace(on=state.move_in_from, is_confirmed=True)
    if state.is_possible and state.on is not None:
        return unit._replace(on=state.on)
    return None


def _known(found: Iterable[Opening | None]) -> Iterable[Opening]:
    return (one for one in found if one is not None)


_PROGRAM: Final = "-//Property management//Viewings//EN"


class CalendarEntry(NamedTuple):
    """What stands in the visitor's calendar; a later `version` replaces an earlier one."""

    id: str
    version: int
    starts_at: datetime
    minutes: int
    title: str
    place: str
    organiser: str
    is_cancelled: bool
    written_at: datetime


def viewing_calendar(entry: CalendarEntry) -> bytes:
    """Return the file (RFC 5545) with one event, whose times are the same everywhere."""
    # Imported here: a worker that writes no such file never loads the library.
    from icalendar import Calendar, Event

    calendar, event = Calendar(), Event()
    calendar.add("prodid", _PROGRAM)
    calendar.add("version", "2.0")
    calendar.add("method", "CANCEL" if entry.is_cancelled else "PUBLISH")
    event.add("uid", f"viewing-{entry.id}")
    event.add("sequence", entry.version - 1)
    event.add("dtstamp", entry.written_at)
    event.add("dtstart", entry.starts_at)
    event.add("dtend", entry.starts_at + timedelta(minutes=entry.minutes))
    event.add("summary", entry.title)
    event.add("location", entry.place)
    event.add("description", entry.organiser)
    event.add("status", "CANCELLED" if entry.is_cancelled else "CONFIRMED")
    calendar.add_component(event)
    content: bytes = calendar.to_ical()
    return content
