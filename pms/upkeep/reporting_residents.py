"""Names the residents whose problem the office may take down, and where one of them lives."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.reservations.models import Reservation
from pms.reservations.tenancies_of_address import ENDED, RESIDENTS
from pms.rules.enumerations import Lifecycle
from pms.rules.resident_reports import no_reporting


class ReportingResident(NamedTuple):
    """Somebody who could report by their own portal today."""

    reservation_id: str
    name: str
    unit_id: str
    unit_name: str


class Home(NamedTuple):
    """Where a reservation is."""

    building_id: str
    unit_id: str


_IN_UNIT = and_(Unit.workspace_id == Reservation.workspace_id, Unit.id == Reservation.unit_id)


def reporting_residents(
    session: Session, building_id: str, today: date
) -> Sequence[ReportingResident]:
    """Return who reports from a building today, by the name of the unit; guests have no portal."""
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


def home_of(session: Session, reservation_id: str) -> Home:
    """Return where a reservation is; raise `NotFound` for an id of nobody here."""
    wanted = select(Unit.building_id, Unit.id).join(Reservation, _IN_UNIT)
    row = (
        session.execute(wanted.where(Reservation.id == reservation_id)).first()
        if is_id(reservation_id)
        else None
    )
    if row is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    return Home._make(row)
