"""Questions about prices: what reservations cost, in which words, many at a time."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import Refused
from pms.foundation.kept_answers import asked_once
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.pricing.agreed_price import MonthlyFee
from pms.pricing.models import FrozenDiscount, PeriodFee, PricingSnapshot
from pms.pricing.models import PricePeriod as PeriodRow
from pms.rules.discounts import Discount
from pms.rules.enumerations import FeeCategory, RecurringItem, TaxTreatment
from pms.rules.price_changes import PricePeriod
from pms.rules.rent_lines import Price

_AMOUNTS = tuple(item.value for item in RecurringItem)
_PERIODS = select(
    PeriodRow.reservation_id,
    PeriodRow.id,
    PeriodRow.first_on,
    PeriodRow.last_on,
    *(getattr(PeriodRow, f"{item}_yen") for item in _AMOUNTS),
).order_by(PeriodRow.first_on)


@dataclass(frozen=True, slots=True)
class AgreedPrice:
    """A price as the rules read it, and the words of what is not the same everywhere."""

    price: Price
    fees: tuple[Mapping[str, MonthlyFee], ...] = ()
    discount_label: Bilingual | None = None

    def fee_on(self, code: str, day: date) -> MonthlyFee:
        """Return the workspace-defined fee as it was worded on a day, else as ever before."""
        periods = self.price.periods
        for period, fees in zip(reversed(periods), reversed(self.fees), strict=True):
            if period.first_on <= day and code in fees:
                return fees[code]
        return next(fees[code] for fees in self.fees if code in fees)


@dataclass(slots=True)
class _Found:
    periods: list[PricePeriod] = field(default_factory=list)
    fees: list[Mapping[str, MonthlyFee]] = field(default_factory=list)


def agreed_prices(session: Session, reservation_ids: Iterable[str]) -> Mapping[str, AgreedPrice]:
    """Return the current prices of reservations in three questions; who has none is left out."""
    return asked_once(session, _agreed_prices, tuple(reservation_ids))


def _agreed_prices(session: Session, ids: tuple[str, ...]) -> Mapping[str, AgreedPrice]:
    periods = session.execute(_PERIODS.where(one_of(PeriodRow.reservation_id, ids))).all()
    fees, discounts = _fees(session, [period[1] for period in periods]), _discounts(session, ids)
    found: defaultdict[str, _Found] = defaultdict(_Found)
    for reservation_id, period_id, first_on, last_on, *yen in periods:
        own = fees.get(period_id, {})
        amounts = dict(zip(_AMOUNTS, yen, strict=True))
        amounts.update((code, fee.amount_yen) for code, fee in own.items())
        found[reservation_id].periods.append(PricePeriod(first_on, last_on, amounts))
        found[reservation_id].fees.append(own)
    return {id_: _agreed(price, discounts.get(id_)) for id_, price in found.items()}


def prices_of(session: Session, reservation_ids: Iterable[str]) -> Mapping[str, Price]:
    """Return what the rules need of the current prices; who has none is left out."""
    return {id_: agreed.price for id_, agreed in agreed_prices(session, reservation_ids).items()}


def price_of(session: Session, reservation_id: str) -> AgreedPrice:
    """Return the current price of one reservation; refuse one that has none."""
    agreed = agreed_prices(session, [reservation_id]).get(reservation_id)
    if agreed is None:
        raise Refused("Reservation {reservation_id} has no price.", reservation_id=reservation_id)
    return agreed


def original_amounts(session: Session, reservation_id: str) -> Mapping[str, int] | None:
    """Return what the resident agreed to at booking, yen a month by item (Original price)."""
    row = session.scalar(
        select(PricingSnapshot).where(PricingSnapshot.reservation_id == reservation_id)
    )
    return None if row is None else {item: getattr(row, f"{item}_yen") for item in _AMOUNTS}


def _agreed(found: _Found, frozen: Any) -> AgreedPrice:
    if frozen is None:
        return AgreedPrice(Price(tuple(found.periods)), tuple(found.fees))
    discount = Discount(
        percent=None if frozen.percent is None else Decimal(frozen.percent),
        yen=frozen.monthly_yen,
        is_recurring=frozen.is_recurring,
        minimum_stay_days=frozen.minimum_stay_days,
    )
    label = Bilingual(frozen.label_ja, frozen.label_en)
    return AgreedPrice(Price(tuple(found.periods), discount), tuple(found.fees), label)


def _fees(session: Session, period_ids: list[str]) -> Mapping[str, Mapping[str, MonthlyFee]]:
    fees: defaultdict[str, dict[str, MonthlyFee]] = defaultdict(dict)
    for period_id, code, label_ja, label_en, category, tax, yen in session.execute(
        select(
            PeriodFee.period_id,
            PeriodFee.code,
            PeriodFee.label_ja,
            PeriodFee.label_en,
            PeriodFee.category,
            PeriodFee.tax_treatment,
            PeriodFee.amount_yen,
        )
        .where(one_of(PeriodFee.period_id, period_ids))
        .order_by(PeriodFee.code)
    ):
        label = Bilingual(label_ja, label_en)
        fees[period_id][code] = MonthlyFee(
            code, label, FeeCategory(category), TaxTreatment(tax), yen
        )
    return fees


def _discounts(session: Session, ids: Iterable[str]) -> Mapping[str, Any]:
    rows = session.execute(
        select(
            FrozenDiscount.reservation_id,
            FrozenDiscount.label_ja,
            FrozenDiscount.label_en,
            FrozenDiscount.percent,
            FrozenDiscount.monthly_yen,
            FrozenDiscount.is_recurring,
            FrozenDiscount.minimum_stay_days,
        ).where(one_of(FrozenDiscount.reservation_id, ids))
    )
    return {row.reservation_id: row for row in rows}
