"""The other tenancies of a person."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import literal, select, union_all
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
    amended, others = _find_others(session, row)
    if not others:
        return ()
    # The tenancy's own is asked for with them: its page shows it beside.
    balances = deposit_balances(session, (row.id, *sorted(amended)), today) if amended else {}
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


def _find_others(session: Session, row: Reservation) -> tuple[set[str], set[str]]:
    """Return the reservations an amendment links, and these with the newest of the same address.

    Each is asked for by itself, so that its index is used.
    """
    old, new = Amendment.old_reservation_id, Amendment.new_reservation_id
    asked = [
        select(new.label("id"), literal(True).label("is_amended")).where(old == row.id),
        select(old, literal(True)).where(new == row.id),
    ]
    if row.email_key:
        newest = (
            select(Reservation.id)
            .where(Reservation.email_key == row.email_key, Reservation.id != row.id)
            .order_by(Reservation.starts_on.desc(), Reservation.id)
            .limit(_MOST)
            .subquery()
        )
        asked.append(select(newest.c.id, literal(False)))
    found = session.execute(union_all(*asked)).all()
    return {id_ for id_, is_amended in found if is_amended}, {id_ for id_, _ in found}
