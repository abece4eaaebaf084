"""The price history of a reservation, and a new price from a day on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.reservation_record import PricedItem, original_price, priced_items
from pms.arrivals.room_search import OfferedFee, offered_terms
from pms.contracts.outdated_papers import mark_outdated
from pms.foundation.audit import note_difference, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work, locked
from pms.ledger.queries import first_unbilled_day
from pms.ledger.repricing import RentFacts, rent_facts
from pms.pricing.agreed_price import (
    MonthlyAmounts,
    MonthlyFee,
    amounts_by_item,
    check_amounts,
    check_fees,
)
from pms.pricing.prices import (
    AgreedPrice,
    add_price_period,
    agreed_prices,
    price_of,
)
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import ONE_DAY, add_months, month_last
from pms.rules.enumerations import Lifecycle, RecurringItem
from pms.rules.price_changes import PriceSpan, Timeline, period_on, with_new_period
from pms.rules.rent_lines import Discount, Price
from pms.rules.rent_rows import BillableRow, row_lines, uncovered_rows
from pms.rules.tenancy_way import ENDED

_MONTHS_SHOWN: Final = 3


class PricedRow(NamedTuple):
    """A run of days to be billed, with its amounts by the old and the new price, in whole yen."""

    first_on: date
    last_on: date
    before_yen: int
    after_yen: int


@dataclass(frozen=True, slots=True)
class PricePreview:
    """The new period with its end, if it has one, and the first rows it affects."""

    period: PriceSpan
    rows: tuple[PricedRow, ...]


def preview_price(
    session: Session,
    clock: Clock,
    *,
    reservation_id: str,
    from_on: date,
    amounts: MonthlyAmounts,
    fees: Sequence[MonthlyFee] = (),
) -> PricePreview:
    """Return what `change_price` with the same facts would do; raise what it would raise."""
    yen = dict(amounts_by_item(check_amounts(amounts)))
    yen |= {fee.code: fee.amount_yen for fee in check_fees(fees)}
    _refuse_closed(session, reservation_id)
    refuse_billed_days(session, reservation_id, from_on)
    facts = rent_facts(session, reservation_id, clock.today())
    before = facts.price.price
    refuse_begun_period(before.periods, from_on)
    periods = tuple(
        period._replace(amounts=yen) if period.first_on == from_on else period
        for period in with_new_period(before.periods, from_on, {})
    )
    period = next(period for period in periods if period.first_on == from_on)
    after = before._replace(periods=periods)
    return PricePreview(period, tuple(_price_rows(facts, before, after, from_on)))


def _refuse_closed(session: Session, reservation_id: str) -> None:
    """Raise `Refused` for a reservation of which no day will be billed any more."""
    asked = select(Reservation.lifecycle).where(Reservation.id == reservation_id)
    lifecycle = session.scalar(asked)
    # The move-out date of somebody who left can still be changed.
    if lifecycle in ENDED and lifecycle != Lifecycle.MOVED_OUT:
        raise Refused(
            "price: A reservation that is {lifecycle} can no longer be corrected.",
            lifecycle=Lifecycle(lifecycle),
        )


def refuse_billed_days(session: Session, reservation_id: str, from_on: date) -> None:
    """Raise `Refused` for a day that is already billed: before the first day no row covers."""
    unbilled_on = first_unbilled_day(session, reservation_id)
    if unbilled_on is not None and from_on < unbilled_on:
        raise Refused(
            "A new price from {from_on} would affect days already billed. Choose {unbilled_on} "
            "or later.",
            from_on=from_on,
            unbilled_on=unbilled_on,
        )


def refuse_begun_period(periods: Timeline, from_on: date) -> None:
    """Raise `Refused` where a period already begins on the day."""
    if any(period.first_on == from_on for period in periods):
        raise Refused(
            "Another price already starts on {from_on}. Choose another day.",
            from_on=from_on,
        )


def _price_rows(
    facts: RentFacts, before: Price, after: Price, from_on: date
) -> Iterator[PricedRow]:
    if facts.span is None:
        return
    issued = [standing.row for standing in facts.rows]
    through_on = add_months(from_on, _MONTHS_SHOWN - 1)
    start_on = facts.tenancy.term.start_on
    for row in uncovered_rows(facts.span, issued, through_on):
        if row.last_on >= from_on:
            yen = (_sum_row_yen(price, row, start_on) for price in (before, after))
            yield PricedRow(row.first_on, row.last_on, *yen)


def _sum_row_yen(price: Price, row: BillableRow, start_on: date) -> int:
    return sum(line.yen for line in row_lines(price, row, start_on))


def change_price(
    work: Work,
    *,
    reservation_id: str,
    from_on: date,
    amounts: MonthlyAmounts,
    fees: Sequence[MonthlyFee] = (),
) -> None:
    """Begin a new price period; days that a row covers keep the price at which they were billed."""
    locked(work.session, Reservation, reservation_id)
    _refuse_closed(work.session, reservation_id)
    refuse_billed_days(work.session, reservation_id, from_on)
    before = _monthly_yen(work.session, reservation_id, from_on)
    add_price_period(
        work.session, reservation_id=reservation_id, from_on=from_on, amounts=amounts, fees=fees
    )
    agreed = _monthly_yen(work.session, reservation_id, from_on)
    facts = {
        "before": before,
        "after": {**dict.fromkeys(before, 0), **agreed, "price_from_on": from_on},
    }
    about = of_reservation(reservation_id)
    note_difference(work, AuditEvent.PRICE_CHANGED, about, **facts)
    mark_outdated(work, [reservation_id])


def _monthly_yen(session: Session, reservation_id: str, on: date) -> dict[str, Any]:
    """Return what each item costs a month on a day, by item name."""
    periods = price_of(session, reservation_id).price.periods
    return {f"{item}_yen": yen for item, yen in period_on(periods, on).amounts.items()}


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
    place = _find_period_index(agreed, next_on) if agreed else 0
    last = agreed.price.periods[place].amounts if agreed else {}
    fees = agreed.fees[place] if agreed else {}
    return PriceHistory(
        original=original_price(session, reservation_id),
        periods=tuple(_list_priced_periods(agreed, today)) if agreed else (),
        discount=agreed.price.discount if agreed else None,
        discount_label=agreed.discount_label if agreed else None,
        unbilled_on=unbilled_on,
        next_from_on=next_on,
        amounts=MonthlyAmounts(**{f"{item}_yen": last.get(item, 0) for item in RecurringItem}),
        offered=_offer_fees(terms.fees, fees),
    )


def _find_period_index(agreed: AgreedPrice, day: date) -> int:
    """Return the index of the period in force on a day."""
    periods = agreed.price.periods
    return list(periods).index(period_on(periods, day))


def _list_priced_periods(agreed: AgreedPrice, today: date) -> Iterable[PricedPeriod]:
    current = period_on(agreed.price.periods, today)
    for period in agreed.price.periods:
        items = priced_items(agreed, period)
        yield PricedPeriod(period.first_on, period.last_on, items, period is current)


def _offer_fees(
    catalogue: Iterable[OfferedFee], agreed: Mapping[str, MonthlyFee]
) -> tuple[OfferedFee, ...]:
    """Return the catalogue's fees; those in force as agreed, the others not selected."""
    known = {offered.fee.code: OfferedFee(offered.fee, is_asked=False) for offered in catalogue}
    in_force = {code: OfferedFee(fee, is_asked=True) for code, fee in agreed.items()}
    return tuple({**known, **in_force}.values())
