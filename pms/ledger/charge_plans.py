"""Plans one charge for many reservations: who is charged how much, and who is left out and why."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.versions import CATALOGUE, OCCUPANCY, KeptAnswers
from pms.pricing.prices import agreed_prices
from pms.reservations.models import Reservation
from pms.rules.days import strict_day
from pms.rules.enumerations import (
    FeeCategory,
    Lifecycle,
    RecurringItem,
    ReservationKind,
    TaxTreatment,
)
from pms.rules.price_changes import monthly_yen
from pms.rules.yen import percent_charge
from pms.workspaces.queries import counters


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyCharge:
    """The charge: whole yen, or a percentage of each rent in force; no building means all."""

    item: str
    label: Bilingual
    amount_yen: int | None
    percent: str | None
    category: FeeCategory
    tax_treatment: TaxTreatment | None
    due_on: date
    building_ids: tuple[str, ...] = ()

    @property
    def to_json(self) -> dict[str, Any]:
        """The charge in the form a run stores it."""
        return {**asdict(self), "label": list(self.label), "due_on": self.due_on.isoformat()}

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Self:
        """Return the charge from the stored form of a run."""
        return cls(
            item=asked["item"],
            label=Bilingual(*asked["label"]),
            amount_yen=asked["amount_yen"],
            percent=asked["percent"],
            category=FeeCategory(asked["category"]),
            tax_treatment=TaxTreatment(treatment)
            if (treatment := asked["tax_treatment"])
            else None,
            due_on=strict_day(asked["due_on"]) or date.min,
            building_ids=tuple(asked["building_ids"]),
        )


CHARGED_STAGES = (Lifecycle.LIVING, Lifecycle.NOTICE_FILED)
_COMING = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)


class ChargeBar(StrEnum):
    """Why a stay in the buildings is not charged."""

    OWNER_RESIDENT = "owner_resident"
    GUEST = "guest"
    NOT_MOVED_IN = "not_moved_in"
    NO_RENT = "no_rent"


class ChargedTenancy(NamedTuple):
    """A charged reservation and its amount."""

    reservation_id: str
    name: str
    unit_name: str
    building: Bilingual
    yen: int


class ChargePlan(NamedTuple):
    """The charged reservations, by building and unit, and the number of others by reason."""

    charged: Sequence[ChargedTenancy]
    barred: Mapping[ChargeBar, int]

    @property
    def total_yen(self) -> int:
        return sum(charge.yen for charge in self.charged)

    @property
    def buildings(self) -> int:
        """The number of buildings they live in."""
        return len({charge.building for charge in self.charged})


def plan_charges(
    session: Session,
    on: date,
    charge: ManyCharge,
    reservation_ids: Iterable[str] | None = None,
) -> ChargePlan:
    """Return whom a charge of today covers: residents who live there; nothing is posted."""
    rows = _read_tenancies(session, charge, reservation_ids)
    ids = [row[0] for row in rows]
    if charge.percent is None:
        rents = {}
    else:
        rents = {
            id_: monthly_yen(agreed.price.periods, RecurringItem.BASE_RENT, on)
            for id_, agreed in agreed_prices(session, ids).items()
            if agreed.price.periods
        }
    charged: list[ChargedTenancy] = []
    barred = Counter[ChargeBar]()
    for id_, kind, lifecycle, name, unit_name, ja, en in rows:
        rent_yen = rents.get(id_)
        if charge.percent is None:
            yen = charge.amount_yen
        else:
            yen = percent_charge(Decimal(charge.percent), rent_yen) if rent_yen else None
        bar: ChargeBar | None
        if kind == ReservationKind.OWNER_RESIDENT:
            bar = ChargeBar.OWNER_RESIDENT
        elif kind == ReservationKind.GUEST:
            bar = ChargeBar.GUEST
        elif lifecycle in _COMING:
            bar = ChargeBar.NOT_MOVED_IN
        else:
            bar = None if yen else ChargeBar.NO_RENT
        if bar is None and yen is not None:
            charged.append(ChargedTenancy(id_, name, unit_name, Bilingual(ja, en), yen))
        elif bar is not None:
            barred[bar] += 1
    return ChargePlan(charged, barred)


def _read_tenancies(
    session: Session, charge: ManyCharge, reservation_ids: Iterable[str] | None
) -> Sequence[Any]:
    if reservation_ids is not None:
        named = _select_tenancies(charge).where(one_of(Reservation.id, reservation_ids))
        return session.execute(named).all()
    # A check is read again for each page, and after each change of its form.
    return _TENANCIES.answer(
        session,
        charge.building_ids,
        counters(session, CATALOGUE, OCCUPANCY),
        lambda: session.execute(_select_tenancies(charge)).all(),
    )


_TENANCIES: Final = KeptAnswers(most=2)


def _select_tenancies(charge: ManyCharge) -> Select[*tuple[Any, ...]]:
    question: Select[*tuple[Any, ...]] = (
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
    return question
