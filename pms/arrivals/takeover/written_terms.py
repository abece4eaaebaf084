"""Writing the price periods and fees of taken-over tenancies."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import insert, select

from pms.arrivals.takeover.own_terms import OwnTerms
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.pricing.models import FrozenDiscount, PeriodFee, PricePeriod, PricingSnapshot
from pms.reservations.models import CoOccupant, ForcedMonthToMonth, Reservation
from pms.rules.days import day_of
from pms.rules.enumerations import (
    RecurringItem,
)

CHUNK: Final = 500
Row = dict[str, Any]


def write_own_terms(work: Work, terms: Mapping[str, OwnTerms]) -> None:
    """Write prices, discounts, co-occupants and forced flags, by reservation."""
    rows: dict[type[Any], list[Row]] = {
        model: []
        for model in (
            PricingSnapshot,
            PricePeriod,
            PeriodFee,
            FrozenDiscount,
            CoOccupant,
            ForcedMonthToMonth,
        )
    }
    for id_, own in terms.items():
        _price_rows(id_, own, work.clock.now(), rows)
        rows[CoOccupant] += [
            {"reservation_id": id_, "position": place, "name": name, "name_kana": kana}
            for place, (name, kana) in enumerate(own.others, start=1)
        ]
        if own.forced_at is not None:
            rows[ForcedMonthToMonth].append(
                {"reservation_id": id_, "set_at": own.forced_at, "set_by": work.actor}
            )
    for model, found in rows.items():
        if found:
            work.session.execute(insert(model), found)
    # Set what an import of residents does not set: the reservation fee and the forced day.
    wanted = {id_: own for id_, own in terms.items() if own.forced_at or own.reservation_fee_yen}
    ids = list(wanted)
    for first in range(0, len(ids), CHUNK):
        written = select(Reservation).where(Reservation.id.in_(ids[first : first + CHUNK]))
        for row in work.session.scalars(written):
            own = wanted[row.id]
            row.reservation_fee_yen = own.reservation_fee_yen
            row.forced_on = None if own.forced_at is None else day_of(own.forced_at)
    work.session.flush()


def _price_rows(
    reservation_id: str, own: OwnTerms, now: datetime, rows: dict[type[Any], list[Row]]
) -> None:
    for place, price in enumerate(own.prices):
        amounts = {f"{item}_yen": price.amounts.get(item, 0) for item in RecurringItem}
        if place == 0:
            frozen = {"reservation_id": reservation_id, "frozen_at": now, **amounts}
            rows[PricingSnapshot].append(frozen)
        period_id = new_id()
        period = {"id": period_id, "reservation_id": reservation_id, **amounts}
        rows[PricePeriod].append(period | {"first_on": price.first_on, "last_on": price.last_on})
        rows[PeriodFee] += [
            {
                "period_id": period_id,
                "code": fee.code,
                "label_ja": fee.ja,
                "label_en": fee.en,
                "category": fee.category,
                "tax_treatment": fee.tax,
                "amount_yen": fee.yen,
            }
            for fee in price.fees
        ]
    if own.discount is not None:
        rows[FrozenDiscount].append(
            {
                "reservation_id": reservation_id,
                "label_ja": own.discount.ja,
                "label_en": own.discount.en,
                "percent": None if own.discount.percent is None else str(own.discount.percent),
                "monthly_yen": own.discount.monthly_yen,
                "is_recurring": own.discount.is_recurring,
                "minimum_stay_days": own.discount.minimum_stay_days,
            }
        )
