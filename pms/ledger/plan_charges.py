"""Says whom one charge for many reaches, how much each owes, and who is left out for what."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.prepared import one_of
from pms.ledger.many_charges import ManyCharge
from pms.pricing.queries import agreed_prices
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, RecurringItem, ReservationKind
from pms.rules.price_timeline import monthly_yen
from pms.rules.yen import percent_charge

CHARGED_STAGES = (Lifecycle.LIVING, Lifecycle.NOTICE_FILED)
_COMING = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)


class ChargeBar(StrEnum):
    """Why a stay in the buildings is not charged."""

    OWNER_RESIDENT = "owner_resident"
    GUEST = "guest"
    NOT_MOVED_IN = "not_moved_in"
    NO_RENT = "no_rent"


class ChargedTenancy(NamedTuple):
    """Who is charged how much."""

    reservation_id: str
    name: str
    unit_name: str
    building: Bilingual
    yen: int


class ChargePlan(NamedTuple):
    """Everyone who is charged, by building and unit, and how many are not, by reason."""

    charged: Sequence[ChargedTenancy]
    barred: Mapping[ChargeBar, int]

    @property
    def total_yen(self) -> int:
        return sum(one.yen for one in self.charged)

    @property
    def buildings(self) -> int:
        """How many buildings they live in."""
        return len({one.building for one in self.charged})


def plan_charges(
    session: Session,
    on: date,
    charge: ManyCharge,
    reservation_ids: Iterable[str] | None = None,
) -> ChargePlan:
    """Return whom the charge reaches today: residents who live there; write nothing."""
    rows = _stays(session, charge, reservation_ids)
    rents = _rents(session, on, charge, [row[0] for row in rows])
    charged, barred = [], Counter[ChargeBar]()
    for id_, kind, lifecycle, name, unit_name, ja, en in rows:
        yen = _yen(charge, rents.get(id_))
        bar = _bar(kind, lifecycle, yen)
        if bar is None and yen is not None:
            charged.append(ChargedTenancy(id_, name, unit_name, Bilingual(ja, en), yen))
        elif bar is not None:
            barred[bar] += 1
    return ChargePlan(charged, barred)


def _stays(
    session: Session, charge: ManyCharge, reservation_ids: Iterable[str] | None
) -> Sequence[Any]:
    question = (
        select(
            Reservation.id,
            Reservation.kind,
            Reservation.lifecycle,
            Reservation.name,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(
            Reservation.lifecycle.in_((*CHARGED_STAGES, *_COMING)),
            Reservation.cancelled_at.is_(None),
        )
        .order_by(Building.name, Building.id, Unit.name_key, Reservation.id)
    )
    if charge.building_ids:
        question = question.where(one_of(Unit.building_id, charge.building_ids))
    if reservation_ids is not None:
        question = question.where(one_of(Reservation.id, reservation_ids))
    return session.execute(question).all()


def _rents(
    session: Session, on: date, charge: ManyCharge, ids: Sequence[str]
) -> Mapping[str, int | None]:
    if charge.percent is None:
        return {}
    return {
        id_: monthly_yen(agreed.price.periods, RecurringItem.BASE_RENT, on)
        for id_, agreed in agreed_prices(session, ids).items()
        if agreed.price.periods
    }


def _yen(charge: ManyCharge, rent_yen: int | None) -> int | None:
    if charge.percent is None:
        return charge.amount_yen
    return percent_charge(Decimal(charge.percent), rent_yen) if rent_yen else None


def _bar(kind: str, lifecycle: str, yen: int | None) -> ChargeBar | None:
    if kind == ReservationKind.OWNER_RESIDENT:
        return ChargeBar.OWNER_RESIDENT
    if kind == ReservationKind.GUEST:
        return ChargeBar.GUEST
    if lifecycle in _COMING:
        return ChargeBar.NOT_MOVED_IN
    return None if yen else ChargeBar.NO_RENT
