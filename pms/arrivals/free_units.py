"""Finds the units of a building that nobody holds on the nights asked for."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import ExternalBlock, Unit
from pms.foundation.ids import is_id
from pms.reservations.models import Reservation
from pms.reservations.unit_stays import stay_of
from pms.rules.days import readable
from pms.rules.double_booking import conflicts_with, read_spans, span_of
from pms.rules.stays import Stay
from pms.workspaces.queries import policy


class FreeUnit(NamedTuple):
    """A unit that may be booked; whole yen a month, and whether outside days meet the nights."""

    id: str
    name: str
    layout: str | None
    rent_yen: int | None
    is_blocked: bool = False


def free_units(
    session: Session,
    building_id: str,
    first_on: date,
    last_on: date | None,
    today: date,
    *,
    beside: Collection[str] = (),
) -> Sequence[FreeUnit]:
    """Return the free units by name, in four questions; the stays `beside` end before.

    Only reservations hold a unit (specification, Availability, Rules): a block does not, but it
    is told, for somebody outside counts on those days.
    """
    if not is_id(building_id):
        return ()
    figures = policy(session)
    wanted = span_of(Stay("", first_on, last_on), today, figures)
    if wanted is None:
        return ()
    stays = _stays(session, building_id, beside)
    units = session.execute(
        select(Unit.id, Unit.name, Unit.layout, Unit.rent_yen)
        .where(Unit.building_id == building_id)
        .order_by(Unit.name, Unit.id)
    )
    blocked = _blocked(session, building_id, first_on, last_on)
    return [
        FreeUnit(*unit, unit.id in blocked)
        for unit in units
        if not conflicts_with(wanted, read_spans(stays[unit.id], today, figures).spans)
    ]


def _blocked(
    session: Session, building_id: str, first_on: date, last_on: date | None
) -> frozenset[str]:
    """The units that an external block takes on some of the nights; a damaged end is open."""
    found = session.execute(
        select(ExternalBlock.unit_id, ExternalBlock.first_on, ExternalBlock.last_on)
        .join(
            Unit,
            (Unit.workspace_id == ExternalBlock.workspace_id) & (Unit.id == ExternalBlock.unit_id),
        )
        .where(Unit.building_id == building_id)
    )
    return frozenset(
        unit_id
        for unit_id, begins_on, ends_on in found
        if (readable(ends_on) or date.max) >= first_on
        and (last_on is None or (readable(begins_on) or date.min) <= last_on)
    )


def _stays(
    session: Session, building_id: str, beside: Collection[str]
) -> defaultdict[str, list[Stay]]:
    found: defaultdict[str, list[Stay]] = defaultdict(list)
    question = (
        select(Reservation)
        .join(Reservation.unit)
        .where(Unit.building_id == building_id, Reservation.cancelled_at.is_(None))
    )
    for row in session.scalars(question):
        if row.id not in beside:
            found[row.unit_id].append(stay_of(row))
    return found
