"""The day on which the demo's work is looked at, and the people who do that work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member
from pms.catalogue.models import Unit
from pms.demo.photographs import Album
from pms.foundation.clock import FixedClock
from pms.reservations.models import Reservation
from pms.rules.days import day_of
from pms.rules.enumerations import Lifecycle, ReservationKind, StaffRole
from pms.upkeep.add_upkeep_photo import add_upkeep_photo

Answer = TypeVar("Answer")
DEMO: Final = "demo"
_MOST_HOMES: Final = 8


class Home(NamedTuple):
    """Somebody who lives somewhere, and tells of what is broken there."""

    reservation_id: str
    unit_id: str
    building_id: str


@dataclass(frozen=True)
class Day:
    """A session of one workspace at an instant, with its staff and its pictures."""

    session: Session
    now: datetime
    album: Album
    people: dict[StaffRole, str]
    homes: Sequence[Home]

    @property
    def today(self) -> date:
        return day_of(self.now)

    def person(self, role: StaffRole) -> str | None:
        """The id of who has that role; in production the demo has no staff."""
        return self.people.get(role)

    def actor(self, role: StaffRole) -> str:
        """Who acts, as the audit keeps it."""
        return f"person/{self.people[role]}" if role in self.people else DEMO

    def ago(self, **span: float) -> FixedClock:
        """The clock as it stood so long ago."""
        return FixedClock(self.now - timedelta(**span))

    def on(self, days: int) -> date:
        """The day so many days from today."""
        return self.today + timedelta(days=days)

    def do(
        self, deed: Callable[..., Answer], role: StaffRole, clock: FixedClock, **facts: Any
    ) -> Answer:
        """Have somebody of a role do something at an instant."""
        return deed(self.session, clock, self.actor(role), **facts)

    def take_photo(
        self, role: StaffRole, clock: FixedClock, scene: str, kind: str, id_: str
    ) -> None:
        """Have somebody take a picture; which the album does not have is left out."""
        if scene in self.album:
            subject = (kind, id_)
            self.do(add_upkeep_photo, role, clock, subject=subject, sized=self.album[scene])


def open_day(session: Session, now: datetime, album: Album) -> Day:
    """Return the day of a workspace whose tenancies and staff are stored."""
    members = session.execute(select(Member.role, Member.person_id).order_by(Member.id))
    people: dict[StaffRole, str] = {}
    for role, person_id in members:
        people.setdefault(StaffRole(role), person_id)
    homes = session.execute(
        select(Reservation.id, Reservation.unit_id, Unit.building_id)
        .join(Reservation.unit)
        .where(
            Reservation.lifecycle == Lifecycle.LIVING, Reservation.kind == ReservationKind.RESIDENT
        )
        .order_by(Reservation.id)
        .limit(_MOST_HOMES)
    )
    return Day(session, now, album, people, [Home(*row) for row in homes])
