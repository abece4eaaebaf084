"""Finds the other tenancies of the person of one: before, after, or on from an amendment."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.deposits.models import Amendment
from pms.foundation.bilingual import Bilingual
from pms.ledger.queries import deposit_balances
from pms.reservations.models import Reservation
from pms.rules.days import RecordedDay
from pms.rules.enumerations import Lifecycle

_MOST = 12


class OtherTenancy(NamedTuple):
    """Another record of the same person, or the one an amendment links it with."""

    id: str
    name: str
    lifecycle: Lifecycle
    building: Bilingual
    unit_name: str
    start_on: RecordedDay
    is_amended: bool
    overpaid_yen: int = 0


def tenancies_of_person(session: Session, row: Reservation, today: date) -> Sequence[OtherTenancy]:
    """Return the records with the same address, and those an amendment leads from or to.

    A person with two tenancies has two records (specification, Resource overview). Of those an
    amendment links, what is overpaid there is told, for it goes back from there.
    """
    amended = _amended_with(session, row.id)
    others = _with_address(session, row) | amended
    if not others:
        return ()
    balances = deposit_balances(session, amended, today) if amended else {}
    found = session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Reservation.lifecycle,
            Building.name,
            Building.name_en,
            Unit.name,
            Reservation.override_move_in_date,
            Reservation.move_in_date,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(Reservation.id.in_(others))
        .order_by(Reservation.starts_on.desc(), Reservation.id)
        .limit(_MOST)
    )
    return [
        OtherTenancy(
            id_,
            name,
            Lifecycle(lifecycle),
            Bilingual(building, building_en),
            unit,
            moved if moved is not None else start,
            id_ in amended,
            balances[id_].overpaid_yen if id_ in balances else 0,
        )
        for id_, name, lifecycle, building, building_en, unit, moved, start in found
    ]


def _with_address(session: Session, row: Reservation) -> set[str]:
    """Return the newest other records with the address; asked apart, by the index it has."""
    if not row.email_key:
        return set()
    found = session.scalars(
        select(Reservation.id)
        .where(Reservation.email_key == row.email_key, Reservation.id != row.id)
        .order_by(Reservation.starts_on.desc(), Reservation.id)
        .limit(_MOST)
    )
    return set(found)


def _amended_with(session: Session, reservation_id: str) -> set[str]:
    """Return the records an amendment leads to and from; each way by the index it has."""
    old, new = Amendment.old_reservation_id, Amendment.new_reservation_id
    ways = (select(new).where(old == reservation_id), select(old).where(new == reservation_id))
    return {id_ for way in ways for id_ in session.scalars(way)}
