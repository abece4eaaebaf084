"""The price of a reservation from its first day on."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.offered_terms import OfferedFee, offered_terms
from pms.arrivals.reservation_record import PricedItem, original_price, priced_items
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.ledger.queries import first_unbilled_day
from pms.pricing.agreed_price import (
    MonthlyAmounts,
)
from pms.pricing.prices import (
    AgreedPrice,
    agreed_prices,
)
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY, month_last
from pms.rules.enumerations import RecurringItem
from pms.rules.price_changes import period_on
from pms.rules.rent_lines import Discount


@dataclass(frozen=True, slots=True)
class PricedPeriod:
    """A period of the current price; the last one is open-ended."""

    first_on: date
    last_on: date | None
    items: tuple[PricedItem, ...]
    is_current: bool

    @property
    def total_yen(self) -> int:
        """The sum of the monthly items before any discount."""
        return sum(item.yen for item in self.items)


@dataclass(frozen=True, slots=True)
class PriceHistory:
    """The original amounts, the periods, the discount, and the values proposed for a new period.

    `unbilled_on` is the first day that a new price can affect, None while nothing is billed.
    """

    original: tuple[PricedItem, ...]
    periods: tuple[PricedPeriod, ...]
    discount: Discount | None
    discount_label: Bilingual | None
    unbilled_on: date | None
    next_from_on: date
    amounts: MonthlyAmounts
    offered: tuple[OfferedFee, ...]


def price_history(session: Session, reservation_id: str, today: date) -> PriceHistory:
    """Return the price of a reservation over time; raise `NotFound` for an unknown id."""
    unit_id = None
    if is_id(reservation_id):
        asked = select(Reservation.unit_id).where(Reservation.id == reservation_id)
        unit_id = session.scalar(asked)
    if unit_id is None:
        raise no_such("reservation", reservation_id)
    agreed = agreed_prices(session, [reservation_id]).get(reservation_id)
    unbilled_on = first_unbilled_day(session, reservation_id)
    terms = offered_terms(session, unit_id)
    next_on = max(unbilled_on or today, month_last(today) + ONE_DAY)
    if agreed:
        # The index of the period in force on a day.
        periods = agreed.price.periods
        place = list(periods).index(period_on(periods, next_on))
    else:
        place = 0
    last = agreed.price.periods[place].amounts if agreed else {}
    fees = agreed.fees[place] if agreed else {}
    # The catalogue's fees; those in force as agreed, the others not selected.
    known = {offered.fee.code: OfferedFee(offered.fee, is_asked=False) for offered in terms.fees}
    in_force = {code: OfferedFee(fee, is_asked=True) for code, fee in fees.items()}
    return PriceHistory(
        original=original_price(session, reservation_id),
        periods=tuple(_list_priced_periods(agreed, today)) if agreed else (),
        discount=agreed.price.discount if agreed else None,
        discount_label=agreed.discount_label if agreed else None,
        unbilled_on=unbilled_on,
        next_from_on=next_on,
        amounts=MonthlyAmounts(**{f"{item}_yen": last.get(item, 0) for item in RecurringItem}),
        offered=tuple({**known, **in_force}.values()),
    )


def _list_priced_periods(agreed: AgreedPrice, today: date) -> Iterable[PricedPeriod]:
    current = period_on(agreed.price.periods, today)
    for period in agreed.price.periods:
        items = priced_items(agreed, period)
        yield PricedPeriod(period.first_on, period.last_on, items, period is current)
