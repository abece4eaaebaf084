"""The price somebody agrees to in the demo: amounts, monthly fees, a discount, and later steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from pms.demo.operators import INTERNET, OpenedUnit
from pms.demo.rows import Chance, read_toml
from pms.demo.stay_plans import StayPlan, days_from
from pms.foundation.phrases import Bilingual
from pms.pricing.agreed_price import (
    AgreedDiscount,
    MonthlyFee,
    amounts_by_item,
    check_discount,
)
from pms.pricing.prices import AgreedPrice
from pms.rules.contract_dates import ContractTerm
from pms.rules.days import add_months, month_first
from pms.rules.enumerations import ReservationKind
from pms.rules.price_changes import PriceSpan
from pms.rules.rent_lines import Price, earns_discount

GUEST_SURCHARGE_YEN = 8_000
_RENT_STEP_AFTER_DAYS = 180
_DISCOUNTS = tuple(
    AgreedDiscount(
        Bilingual(row["ja"], row["en"]),
        percent=Decimal(row["percent"]) if "percent" in row else None,
        monthly_yen=row.get("monthly_yen"),
        is_recurring=row.get("is_recurring", True),
        minimum_stay_days=row["minimum_stay_days"],
    )
    for row in read_toml("money")["discount"]
)


@dataclass(frozen=True)
class AgreedPeriod:
    """Days at one price, with the workspace's own monthly fees in force during them."""

    first_on: date
    last_on: date | None
    amounts: Mapping[str, int]
    fees: tuple[MonthlyFee, ...] = ()


@dataclass(frozen=True)
class AgreedTerms:
    """The current price; its first period is the original one."""

    periods: tuple[AgreedPeriod, ...]
    discount: AgreedDiscount | None = None

    def price(self) -> AgreedPrice:
        """The price as it reads once it is stored."""
        agreed = self.discount
        timeline = tuple(
            PriceSpan(
                period.first_on,
                period.last_on,
                {
                    **dict(amounts_by_item(period.amounts)),
                    **{fee.code: fee.amount_yen for fee in period.fees},
                },
            )
            for period in self.periods
        )
        return AgreedPrice(
            Price(timeline, check_discount(agreed) if agreed else None),
            tuple({fee.code: fee for fee in period.fees} for period in self.periods),
            agreed.label if agreed else None,
        )

    def with_step(self, from_on: date, **raised: int) -> AgreedTerms:
        """The terms with another price from a day on, after every period so far."""
        *before, last = self.periods
        if from_on <= last.first_on:
            return self
        ended = replace(last, last_on=days_from(from_on, -1))
        begun = AgreedPeriod(from_on, None, {**last.amounts, **raised}, last.fees)
        return replace(self, periods=(*before, ended, begun))


def agree(unit: OpenedUnit, plan: StayPlan, today: date, rng: Chance) -> AgreedTerms:
    """The terms of one reservation; a resident may have a fee, a discount and later steps."""
    start = plan.move_in if isinstance(plan.move_in, date) else plan.booked_on
    is_resident = plan.kind is ReservationKind.RESIDENT
    joins_later = is_resident and plan.co_occupants > 0 and rng.share() < 0.6
    asked_yen = unit.room.rent_yen - rng.one_of((0, 0, 1_000, 2_000, 3_000))
    is_guest = plan.kind is ReservationKind.GUEST
    amounts = {
        "base_rent_yen": asked_yen,
        "utilities_yen": unit.room.utilities_yen,
        "building_maintenance_yen": unit.room.maintenance_yen,
        "short_term_surcharge_yen": 10_000 if is_guest else 0,
        "guest_surcharge_yen": GUEST_SURCHARGE_YEN * plan.co_occupants,
    }
    surcharge_yen = amounts["guest_surcharge_yen"]
    if joins_later:
        amounts["guest_surcharge_yen"] = 0
    has_fee = is_resident and rng.share() < 0.4
    terms = AgreedTerms((AgreedPeriod(start, None, amounts, (INTERNET,) if has_fee else ()),))
    if not is_resident:
        return terms
    # A discount for some of those whose contract earns it.
    end = plan.contract_end if isinstance(plan.contract_end, date) else None
    offered = rng.one_of((None, None, None, *_DISCOUNTS))
    if offered is None or not earns_discount(check_discount(offered), ContractTerm(start, end)):
        discount = None
    else:
        discount = offered
    terms = replace(terms, discount=discount)
    if joins_later:
        terms = terms.with_step(_month_after(start, 60), guest_surcharge_yen=surcharge_yen)
    raised_on = _month_after(start, _RENT_STEP_AFTER_DAYS)
    if raised_on < days_from(today, 45) and rng.share() < 0.35:
        terms = terms.with_step(raised_on, base_rent_yen=amounts["base_rent_yen"] + 2_000)
    return terms


def _month_after(day: date, days: int) -> date:
    return add_months(month_first(days_from(day, days)), 1)
