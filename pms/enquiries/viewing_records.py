"""Viewings by day as the office lists them, and one with its result."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.models import Building, Unit
from pms.enquiries.models import Viewing, ViewingOfEnquiry
from pms.enquiries.viewings import no_viewing
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.rules.days import JAPAN, day_start
from pms.rules.enumerations import ViewingStatus


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
        """When it begins, by the clocks of Japan."""
        return self.starts_at.astimezone(JAPAN)

    @property
    def on(self) -> date:
        """Its day in Japan."""
        return self.there.date()

    @property
    def ends_at(self) -> datetime:
        """When it ends, by the clocks of Japan."""
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
    .join(Unit, (Unit.workspace_id == Viewing.workspace_id) & (Unit.id == Viewing.unit_id))
    .join(Unit.building)
    .outerjoin(Person, Person.id == Viewing.host_id)
    .outerjoin(
        ViewingOfEnquiry,
        (ViewingOfEnquiry.workspace_id == Viewing.workspace_id)
        & (ViewingOfEnquiry.viewing_id == Viewing.id),
    )
    .order_by(Viewing.starts_at, Viewing.id)
)


def viewings_between(
    session: Session,
    first_on: date,
    last_on: date,
    *,
    building_id: str | None = None,
    host_id: str | None = None,
) -> Sequence[ListedViewing]:
    """Return the viewings of both days and those between, the earliest first."""
    question = _VIEWINGS.where(
        Viewing.starts_at >= day_start(first_on),
        Viewing.starts_at < day_start(last_on + timedelta(days=1)),
    )
    if building_id:
        question = question.where(Unit.building_id == building_id)
    if host_id:
        question = question.where(Viewing.host_id == host_id)
    return [_listed(row) for row in session.execute(question)]


def viewings_of_day(session: Session, on: date) -> Sequence[ListedViewing]:
    """Return what is shown on a day and was not called off."""
    found = viewings_between(session, on, on)
    return [one for one in found if one.status != ViewingStatus.CANCELLED]


def viewings_of_enquiry(session: Session, enquiry_id: str) -> Sequence[ListedViewing]:
    """Return the viewings an enquiry led to."""
    question = _VIEWINGS.where(ViewingOfEnquiry.enquiry_id == enquiry_id)
    return [_listed(row) for row in session.execute(question)]


def viewing_record(session: Session, viewing_id: str) -> ListedViewing:
    """Return one viewing; raise `NotFound` for an id of nobody here."""
    row = None
    if is_id(viewing_id):
        row = session.execute(_VIEWINGS.where(Viewing.id == viewing_id)).first()
    if row is None:
        raise no_viewing(viewing_id)
    return _listed(row)


def _listed(row: Sequence[Any]) -> ListedViewing:
    *facts, ja, en = row
    return ListedViewing._make((*facts, Bilingual(ja, en)))
