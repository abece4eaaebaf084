"""The lines that bill a run of days: each item at the price in force, each rounded once."""

from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from pms.rules.discounts import Discount, discount_yen
from pms.rules.enumerations import LineItem, RecurringItem
from pms.rules.policy import Days
from pms.rules.price_changes import Timeline, items_between, priced_days
from pms.rules.proration import prorated_yen
from pms.rules.yen import percent_of, round_half_away


class Line(NamedTuple):
    """One item at one price over one run of days, in whole yen; a credit is negative."""

    item: str
    first_on: date
    last_on: date
    yen: int


class Price(NamedTuple):
    """The price of a reservation: the timeline in force and the discount frozen with it."""

    periods: Timeline
    discount: Discount | None = None


def rent_lines(price: Price, days: Days, is_first_period: bool = False) -> tuple[Line, ...]:
    """Return the lines of days billed together, all in one calendar month (Money 2 and 5).

    All recurring amounts are prorated; the discount follows the base rent.
    """
    lines: list[Line] = []
    for item in items_between(price.periods, days):
        lines.extend(_item_lines(price.periods, item, days))
    if price.discount is not None:
        lines.extend(_discount_lines(price, price.discount, days, is_first_period))
    return tuple(lines)


def multiplied_out_yen(price: Price, days: Days, is_first_period: bool = False) -> int:
    """Sum everything for the same days first and round once, in yen (Money 2).

    Never billed: it explains why the sum of the lines may seem one yen off.
    """
    items = items_between(price.periods, days)
    exact = sum(_exact(price.periods, item, days) for item in items)
    discount = price.discount
    if discount is None or not (discount.is_recurring or is_first_period):
        return round_half_away(exact)
    rent = _exact(price.periods, RecurringItem.BASE_RENT, days)
    if discount.percent is not None:
        return round_half_away(exact - min(percent_of(discount.percent, rent), rent))
    return round_half_away(exact - min(prorated_yen(discount.yen or 0, days), rent))


def total_yen(lines: Iterable[Line]) -> int:
    """An entry's total: the sum of its rounded lines (Money 2)."""
    return sum(line.yen for line in lines)


def reversal_of(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines that reverse others: a credit mirrors its charge to the yen (Money 2)."""
    return tuple(line._replace(yen=-line.yen) for line in lines)


def _item_lines(periods: Timeline, item: str, days: Days) -> Iterator[Line]:
    for run, monthly_yen in priced_days(periods, item, days):
        yield Line(item, *run, round_half_away(prorated_yen(monthly_yen, run)))


def _exact(periods: Timeline, item: str, days: Days) -> Fraction | int:
    runs = priced_days(periods, item, days)
    return sum((prorated_yen(monthly_yen, run) for run, monthly_yen in runs), start=0)


def _discount_lines(
    price: Price, discount: Discount, days: Days, is_first_period: bool
) -> Iterator[Line]:
    rent = priced_days(price.periods, RecurringItem.BASE_RENT, days)
    for run, yen in discount_yen(discount, rent, is_first_period):
        yield Line(LineItem.DISCOUNT, *run, -yen)
