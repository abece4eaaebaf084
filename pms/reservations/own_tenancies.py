"""The tenancies of a resident's address."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.phrases import Bilingual
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.tenancy_way import ENDED

RESIDENTS: Final = (ReservationKind.RESIDENT, ReservationKind.OWNER_RESIDENT)
"""The kinds of reservations that live here; guests have a link of their own."""


class OwnTenancy(NamedTuple):
    """A reservation as its resident's portal lists it."""

    id: str
    kind: ReservationKind
    lifecycle: Lifecycle
    name: str
    locale: str
    unit_id: str
    unit_name: str
    building_id: str
    building: Bilingual
    starts_on: date | None
    ends_on: date | None

    @property
    def is_ended(self) -> bool:
        """Whether it is over; its documents stay readable."""
        return self.lifecycle in ENDED


def tenancies_of_address(session: Session, address: str) -> Sequence[OwnTenancy]:
    """Return the reservations of a folded address, newest first, ended ones included."""
    rows = session.execute(
        select(
            Reservation.id,
            Reservation.kind,
            Reservation.lifecycle,
            Reservation.name,
            Reservation.locale,
            Unit.id,
            Unit.name,
            Building.id,
            Building.name,
            Building.name_en,
            Reservation.starts_on,
            Reservation.ends_on,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(*_build_address_conditions(address))
        .order_by(Reservation.starts_on.desc(), Reservation.id.desc())
    )
    return [
        OwnTenancy._make((*before, Bilingual(name, name_en), starts_on, ends_on))
        for *before, name, name_en, starts_on, ends_on in rows
    ]


def is_residents_address(session: Session, workspace_id: str, address: str) -> bool:
    """Whether a present or former resident of the workspace has the address."""
    found = select(Reservation.id).where(
        Reservation.workspace_id == workspace_id, *_build_address_conditions(address)
    )
    return session.execute(found.limit(1)).first() is not None


def _build_address_conditions(address: str) -> tuple[ColumnElement[bool], ...]:
    return (Reservation.email_key == address, Reservation.kind.in_(RESIDENTS))
