"""Viewings of a day, a week and an enquiry for lists, one viewing, and open units."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.availability.units import taken_units
from pms.catalogue.models import Building, Unit
from pms.catalogue.units import is_building, is_unit
from pms.enquiries.models import Viewing, ViewingOfEnquiry
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, OCCUPANCY, KeptAnswers
from pms.rules.availability import Availability, decide
from pms.rules.days import JAPAN, day_of, day_start
from pms.rules.enumerations import ViewingStatus
from pms.workspaces.queries import counters
from pms.workspaces.queries import policy as policy_of


class ViewingSearch(NamedTuple):
    """The filters of the list of viewings; both days are included, unset filters match all."""

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


_WHERE_IT_IS = refers_to(Viewing.unit_id, Unit)
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
    """Return one page of the matching viewings, earliest first, and the total."""
    conditions: list[ColumnElement[bool]] = []
    if search.from_on:
        conditions.append(Viewing.starts_at >= _midnight_of_day(search.from_on))
    if search.to_on:
        conditions.append(Viewing.starts_at < _midnight_of_day(search.to_on + timedelta(days=1)))
    if search.building:
        conditions.append(is_building(search.building))
    if search.unit:
        conditions.append(is_unit(search.unit))
    if search.status:
        conditions.append(Viewing.status == search.status)
    total = session.scalar(_COUNT.where(*conditions)) or 0
    page = _RECORDS.where(*conditions).offset(min(paging.offset, total)).limit(paging.limit)
    rows = session.execute(page)
    return [ViewingRecord._make(row) for row in rows], total


def _midnight_of_day(day: date) -> datetime:
    return datetime.combine(day, time(), JAPAN)


class Opening(NamedTuple):
    """A unit and the day from which it is free; without a notice or an end the day is only soft.

    A soft day comes from an expected departure or a contract that ends without a notice: it is for
    the waitlist only and is not a move-in date (specification, Availability).
    """

    unit_id: str
    unit_name: str
    building_id: str
    building: Bilingual
    on: date
    is_confirmed: bool


def openings(session: Session, today: date) -> Sequence[Opening]:
    """Return what is free or may become free, earliest first, confirmed before soft.

    The result is cached until a unit or a stay changes.
    """
    state = counters(session, CATALOGUE, OCCUPANCY)
    return _OPENINGS.answer(session, today, state, lambda: _list_openings(session, today))


_OPENINGS: Final = KeptAnswers(most=4)


def _list_openings(session: Session, today: date) -> Sequence[Opening]:
    figures = policy_of(session)
    stays, blocks = taken_units(session, today, figures)
    units = session.execute(
        select(Unit.id, Unit.name, Building.id, Building.name, Building.name_en).join(Unit.building)
    )
    found = (
        _build_opening(
            Opening(unit_id, name, building_id, Bilingual(ja, en), today, False),
            decide(stays.get(unit_id, ()), blocks.get(unit_id, ()), today, figures),
        )
        for unit_id, name, building_id, ja, en in units
    )
    return sorted(
        (opening for opening in found if opening is not None),
        key=lambda opening: (opening.on, not opening.is_confirmed, opening.unit_name),
    )


def _build_opening(unit: Opening, state: Availability) -> Opening | None:
    if state.move_in_from is not None:
        return unit._replace(on=state.move_in_from, is_confirmed=True)
    if state.is_possible and state.on is not None:
        return unit._replace(on=state.on)
    return None


class ListedViewing(NamedTuple):
    """One viewing with its place, visitor and host."""

    id: str
    status: ViewingStatus
    starts_at: datetime
    minutes: int
    visitor: str
    email: str | None
    phone: str | None
    locale: str
    note: str | None
    host_id: str | None
    host: str | None
    version: int
    unit_id: str
    unit_name: str
    building_id: str
    enquiry_id: str | None
    building: Bilingual

    @property
    def there(self) -> datetime:
        """The start in Japan's time."""
        return self.starts_at.astimezone(JAPAN)

    @property
    def on(self) -> date:
        """The day in Japan."""
        return self.there.date()

    @property
    def ends_at(self) -> datetime:
        """The end in Japan's time."""
        return self.there + timedelta(minutes=self.minutes)


_VIEWINGS: Final[Any] = (
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
        Viewing.host_id,
        Person.name,
        Viewing.version,
        Viewing.unit_id,
        Unit.name,
        Unit.building_id,
        ViewingOfEnquiry.enquiry_id,
        Building.name,
        Building.name_en,
    )
    .select_from(Viewing)
    .join(Unit, refers_to(Viewing.unit_id, Unit))
    .join(Unit.building)
    .outerjoin(Person, Person.id == Viewing.host_id)
    .outerjoin(ViewingOfEnquiry, refers_to(ViewingOfEnquiry.viewing_id, Viewing))
    .order_by(Viewing.starts_at, Viewing.id)
)


class ViewingSpan(NamedTuple):
    """The viewings from the first to the last day, both included, of a building or a host."""

    first_on: date
    last_on: date
    building_id: str | None = None
    host_id: str | None = None

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        yield Viewing.starts_at >= day_start(self.first_on)
        yield Viewing.starts_at < day_start(self.last_on + timedelta(days=1))
        if self.building_id:
            yield Unit.building_id == self.building_id
        if self.host_id:
            yield Viewing.host_id == self.host_id


def count_viewings(session: Session, span: ViewingSpan) -> Mapping[date, int]:
    """Return the number of viewings of each day that has any."""
    starts = select(Viewing.starts_at).join(Unit, _WHERE_IT_IS).where(*span.conditions())
    return Counter(day_of(at) for at in session.scalars(starts))


def viewings_between(
    session: Session, span: ViewingSpan, paging: Paging
) -> Sequence[ListedViewing]:
    """Return one page of the viewings of a span, earliest first."""
    question = _VIEWINGS.where(*span.conditions()).offset(paging.offset).limit(paging.limit)
    return [_list_viewing(row) for row in session.execute(question)]


def viewings_of_day(session: Session, on: date, most: int) -> Sequence[ListedViewing]:
    """Return the first viewings of a day that were not cancelled."""
    question = _VIEWINGS.where(
        Viewing.starts_at >= day_start(on),
        Viewing.starts_at < day_start(on + timedelta(days=1)),
        Viewing.status != ViewingStatus.CANCELLED,
    )
    return [_list_viewing(row) for row in session.execute(question.limit(most))]


def viewings_of_enquiry(session: Session, enquiry_id: str) -> Sequence[ListedViewing]:
    """Return the viewings that come from an enquiry."""
    question = _VIEWINGS.where(ViewingOfEnquiry.enquiry_id == enquiry_id)
    return [_list_viewing(row) for row in session.execute(question)]


def viewing_record(session: Session, viewing_id: str) -> ListedViewing:
    """Return one viewing; raise `NotFound` for an unknown id."""
    row = None
    if is_id(viewing_id):
        row = session.execute(_VIEWINGS.where(Viewing.id == viewing_id)).first()
    if row is None:
        raise no_such("viewing", viewing_id)
    return _list_viewing(row)


def _list_viewing(row: Sequence[Any]) -> ListedViewing:
    *facts, ja, en = row
    return ListedViewing._make((*facts, Bilingual(ja, en)))
