"""Who waits, what they wait for, and which units would suit them."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.enquiries.models import WaitlistPlace
from pms.enquiries.openings import Opening
from pms.foundation.bilingual import Bilingual
from pms.foundation.paging import Paging
from pms.rules.enumerations import WaitlistState

OPEN: Final = (WaitlistState.WAITING, WaitlistState.OFFERED)
CLOSED: Final = (WaitlistState.CLOSED,)
PATIENCE: Final = timedelta(days=31)
"""A unit that is free so long after the day somebody wants still suits them."""


class WaitingPerson(NamedTuple):
    """One place on the waitlist; without a building anything will do."""

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
        """Whether a unit is what this person waits for, soon enough."""
        is_in_time = opening.on <= self.wanted_from_on + PATIENCE
        if self.unit_id is not None:
            return is_in_time and opening.unit_id == self.unit_id
        return is_in_time and self.building_id in (None, opening.building_id)


class Waitlist(NamedTuple):
    """One page of the waitlist, and how many places there are."""

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
    .outerjoin(
        Unit,
        and_(
            Unit.workspace_id == WaitlistPlace.workspace_id,
            Unit.id == WaitlistPlace.unit_id,
        ),
    )
    .outerjoin(Building, _WHERE)
    .order_by(WaitlistPlace.wanted_from_on, WaitlistPlace.added_at, WaitlistPlace.id)
)


def waitlist(session: Session, states: Sequence[WaitlistState], paging: Paging) -> Waitlist:
    """Return who is in one of the states, who wants to move in first before the others."""
    among = WaitlistPlace.state.in_(states)
    total = session.scalar(select(func.count(WaitlistPlace.id)).where(among)) or 0
    rows: Iterable[Any] = session.execute(
        _PEOPLE.where(among).offset(paging.offset).limit(paging.limit)
    )
    people = [WaitingPerson._make((*row[:-2], Bilingual(row[-2], row[-1]))) for row in rows]
    return Waitlist(people, total)
