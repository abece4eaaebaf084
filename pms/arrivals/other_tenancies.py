"""The other tenancies of a person."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select, union_all
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.deposits.models import Amendment
from pms.foundation.phrases import Bilingual
from pms.ledger.queries import deposit_balances
from pms.reservations.models import Reservation
from pms.rules.contract_dates import effective_day
from pms.rules.days import RecordedDay
from pms.rules.enumerations import (
    Lifecycle,
)

_MOST = 12


class OtherTenancy(NamedTuple):
    """Another reservation of the same person, or one linked by an amendment."""

    id: str
    name: str
    lifecycle: Lifecycle
    building: Bilingual
    unit_name: str
    start_on: RecordedDay
    is_amended: bool
    overpaid_yen: int = 0


def tenancies_of_person(session: Session, row: Reservation, today: date) -> Sequence[OtherTenancy]:
    """Return the reservations with the same address, and those linked by an amendment.

    A person with two tenancies has two reservations (specification, Resource overview).
    Reservations linked by an amendment show their overpayment, because it is paid back from there.
    """
    amended = _amended_with(session, row.id)
    others = _with_address(session, row) | amended
    if not others:
        return ()
    balances = deposit_balances(session, amended, today) if amended else {}
    found = session.execute(
        select(Reservation, Building.name, Building.name_en, Unit.name)
        .join(Reservation.unit)
        .join(Unit.building)
        .where(Reservation.id.in_(others))
        .order_by(Reservation.starts_on.desc(), Reservation.id)
        .limit(_MOST)
    )
    return [
        OtherTenancy(
            header.id,
            header.name,
            Lifecycle(header.lifecycle),
            Bilingual(building, building_en),
            unit,
            effective_day(header.move_in_date, header.override_move_in_date),
            header.id in amended,
            balances[header.id].overpaid_yen if header.id in balances else 0,
        )
        for header, building, building_en, unit in found
    ]


def _with_address(session: Session, row: Reservation) -> set[str]:
    """Return the newest other reservations with the address; a separate query, to use its index."""
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
    """Return the reservations an amendment links, one query each way, to use an index."""
    old, new = Amendment.old_reservation_id, Amendment.new_reservation_id
    ways = union_all(
        select(new).where(old == reservation_id), select(old).where(new == reservation_id)
    )
    return set(session.scalars(ways))
