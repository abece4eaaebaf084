"""The waitlist as it is listed."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.enquiries.models import WaitlistPlace
from pms.enquiries.viewing_lists import Opening
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.rules.enumerations import WaitlistState

PATIENCE: Final = timedelta(days=31)
"""How long after the wanted day a unit may become free and still suit."""


class WaitingPerson(NamedTuple):
    """One place on the waitlist; without a building it is for any unit."""

    id: str
    name: str
    email: str | None
    phone: str | None
    wanted_from_on: date
    note: str | None
    state: WaitlistState
    added_at: datetime
    added_by: str
    changed_at: datetime
    changed_by: str
    unit_id: str | None
    unit_name: str | None
    building_id: str | None
    building: Bilingual

    def suits(self, opening: Opening) -> bool:
        """Whether a unit is what this person waits for, and free soon enough."""
        is_in_time = opening.on <= self.wanted_from_on + PATIENCE
        if self.unit_id is not None:
            return is_in_time and opening.unit_id == self.unit_id
        return is_in_time and self.building_id in (None, opening.building_id)


class Waitlist(NamedTuple):
    """One page of the waitlist, and the total."""

    people: Sequence[WaitingPerson]
    total: int


_WHERE = and_(
    Building.workspace_id == WaitlistPlace.workspace_id,
    Building.id == func.coalesce(WaitlistPlace.building_id, Unit.building_id),
)
_PEOPLE = (
    select(
        WaitlistPlace.id,
        WaitlistPlace.name,
        WaitlistPlace.email,
        WaitlistPlace.phone,
        WaitlistPlace.wanted_from_on,
        WaitlistPlace.note,
        WaitlistPlace.state,
        WaitlistPlace.added_at,
        WaitlistPlace.added_by,
        WaitlistPlace.changed_at,
        WaitlistPlace.changed_by,
        WaitlistPlace.unit_id,
        Unit.name,
        Building.id,
        Building.name,
        Building.name_en,
    )
    .select_from(WaitlistPlace)
    .outerjoin(Unit, refers_to(WaitlistPlace.unit_id, Unit))
    .outerjoin(Building, _WHERE)
    .order_by(WaitlistPlace.wanted_from_on, WaitlistPlace.added_at, WaitlistPlace.id)
)


def waitlist(session: Session, states: Sequence[WaitlistState], paging: Paging) -> Waitlist:
    """Return the places in one of the states, by the wanted move-in day."""
    among = WaitlistPlace.state.in_(states)
    total = session.scalar(select(func.count(WaitlistPlace.id)).where(among)) or 0
    rows: Iterable[Any] = session.execute(
        _PEOPLE.where(among).offset(paging.offset).limit(paging.limit)
    )
    people = [WaitingPerson._make((*row[:-2], Bilingual(row[-2], row[-1]))) for row in rows]
    return Waitlist(people, total)


def waiting_person(session: Session, place_id: str) -> WaitingPerson:
    """Return one place; raise `NotFound` for an unknown id."""
    row: Any = None
    if is_id(place_id):
        row = session.execute(_PEOPLE.where(WaitlistPlace.id == place_id)).first()
    if row is None:
        raise no_such("waitlist entry", place_id)
    return WaitingPerson._make((*row[:-2], Bilingual(row[-2], row[-1])))
