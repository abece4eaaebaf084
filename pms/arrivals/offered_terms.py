"""The terms at which a unit is offered."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit, UnitFee
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.pricing.agreed_price import MonthlyAmounts, MonthlyFee
from pms.rules.enumerations import (
    FeeCategory,
    LineItem,
    RecurringItem,
    TaxTreatment,
)
from pms.workspaces.models import Fee

_FIXED: Final = frozenset(
    {
        RecurringItem.UTILITIES,
        RecurringItem.BUILDING_MAINTENANCE,
        RecurringItem.SHORT_TERM_SURCHARGE,
        RecurringItem.GUEST_SURCHARGE,
    }
)
_TAKEN: Final = frozenset([*RecurringItem, *LineItem])


@dataclass(frozen=True, slots=True)
class OfferedFee:
    """A monthly fee of the workspace; `is_asked` says whether this unit charges it."""

    fee: MonthlyFee
    is_asked: bool


@dataclass(frozen=True, slots=True)
class OfferedTerms:
    """One unit with its place and its usual terms, in whole yen."""

    unit_id: str
    unit_name: str
    building_id: str
    building: Bilingual
    amounts: MonthlyAmounts
    fees: tuple[OfferedFee, ...]
    reservation_fee_yen: int
    deposit_yen: int
    minimum_stay_days: int


def offered_terms(session: Session, unit_id: str) -> OfferedTerms:
    """Return the terms of a unit in two queries; raise `NotFound` for an unknown unit.

    A fee that is a fixed amount of every price is one of the amounts; the others are fees.
    """
    question = select(Unit, Building).join(Unit.building).where(Unit.id == unit_id)
    found = session.execute(question).first() if is_id(unit_id) else None
    if found is None:
        raise no_such("unit", unit_id)
    unit, building = (found[0], found[1])
    fees = session.execute(
        select(Fee, UnitFee.amount_yen)
        .outerjoin(UnitFee, (UnitFee.fee_id == Fee.id) & (UnitFee.unit_id == unit.id))
        .where(Fee.is_monthly)
        .order_by(Fee.code)
    ).all()
    asked = {fee.code: yen for fee, yen in fees if yen}
    fixed = {f"{item}_yen": asked.get(item, 0) for item in _FIXED}
    return OfferedTerms(
        unit_id=unit.id,
        unit_name=unit.name,
        building_id=building.id,
        building=Bilingual(building.name, building.name_en),
        amounts=MonthlyAmounts(base_rent_yen=unit.rent_yen or 0, **fixed),
        fees=tuple(_offer_fee(fee, yen) for fee, yen in fees if _is_own(fee, yen)),
        reservation_fee_yen=unit.reservation_fee_yen or 0,
        deposit_yen=unit.deposit_yen or 0,
        minimum_stay_days=unit.minimum_stay_days or 0,
    )


def _is_own(fee: Fee, asked_yen: int | None) -> bool:
    """Whether a catalogue fee can be part of a price under its own code."""
    return fee.code not in _TAKEN and (asked_yen or fee.amount_yen) is not None


def _offer_fee(fee: Any, asked_yen: int | None) -> OfferedFee:
    monthly = MonthlyFee(
        fee.code,
        Bilingual(fee.label_ja, fee.label_en),
        FeeCategory(fee.category),
        TaxTreatment(fee.tax_treatment),
        asked_yen or fee.amount_yen,
    )
    return OfferedFee(monthly, asked_yen is not None)
