"""Residents who may report a problem, and where they live."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.tenancy import refers_to
from pms.reservations.models import Reservation
from pms.reservations.own_tenancies import RESIDENTS
from pms.rules.enumerations import Lifecycle
from pms.rules.resident_reports import no_reporting
from pms.rules.tenancy_way import ENDED


class ReportingResident(NamedTuple):
    """A resident who could report through their own portal today."""

    reservation_id: str
    name: str
    unit_id: str
    unit_name: str


class ReservedPlace(NamedTuple):
    """The unit and building of a reservation."""

    building_id: str
    unit_id: str


_IN_UNIT = refers_to(Reservation.unit_id, Unit)


def reporting_residents(
    session: Session, building_id: str, today: date
) -> Sequence[ReportingResident]:
    """Return the residents who can report from a building today, by unit; guests have no portal."""
    if not is_id(building_id):
        return []
    rows = session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Unit.id,
            Unit.name,
            Reservation.lifecycle,
            Reservation.starts_on,
        )
        .join(Unit, _IN_UNIT)
        .where(
            Unit.building_id == building_id,
            Reservation.kind.in_(RESIDENTS),
            Reservation.lifecycle.not_in(ENDED),
        )
        .order_by(Unit.name_key, Unit.id, Reservation.starts_on, Reservation.id)
    )
    return [
        ReportingResident(*who)
        for *who, lifecycle, starts_on in rows
        if no_reporting(Lifecycle(lifecycle), starts_on, today) is None
    ]


def home_of(session: Session, reservation_id: str) -> ReservedPlace:
    """Return the place of a reservation; raise `NotFound` for an unknown id."""
    wanted = select(Unit.building_id, Unit.id).join(Reservation, _IN_UNIT)
    row = (
        session.execute(wanted.where(Reservation.id == reservation_id)).first()
        if is_id(reservation_id)
        else None
    )
    if row is None:
        raise no_such("reservation", reservation_id)
    return ReservedPlace._make(row)
