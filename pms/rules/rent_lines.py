"""The lines that bill a run of days: each item at the price in force, each rounded once."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from pms.rules.day_runs import Days
from pms.rules.discounts import Discount, discount_yen
from pms.rules.enumerations import LineItem, RecurringItem
from pms.rules.price_timeline import Timeline, items_between, priced_days
from pms.rules.proration import prorated_yen
from pms.rules.yen import round_half_away


class Line(NamedTuple):
    """One item at one price over one run of days, in whole yen; a credit is negative."""

    item: str
    first_on: date
    last_on: date
    yen: int


class Price(NamedTuple):
    """What a reservation costs: the timeline in force and the discount frozen with it."""

    periods: Timeline
    discount: Discount | None = None


def rent_lines(price: Price, days: Days, is_first_period: bool = False) -> tuple[Line, ...]:
    """The lines of days that are billed together, all in one calendar month (Money 2 and 5).

    All recurring amounts are prorated; the discount follows the base rent.
    """
    lines: list[Line] = []
    for item in items_between(price.periods, days):
        lines.extend(_item_lines(price.periods, item, days))
    if price.discount is not None:
        lines.extend(_discount_lines(price, price.discount, days, is_first_period))
    return tuple(lines)


def total_yen(lines: Iterable[Line]) -> int:
    """An entry's total: the sum of its rounded lines (Money 2)."""
    return sum(line.yen for line in lines)


def reversal_of(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines that undo others: a credit mirrors its charge to the yen (Money 2)."""
    return tuple(line._replace(yen=-line.yen) for line in lines)


def _item_lines(periods: Timeline, item: str, days: Days) -> Iterator[Line]:
    for run, monthly_yen in priced_days(periods, item, days):
        yield Line(item, *run, round_half_away(prorated_yen(monthly_yen, run)))


def _discount_lines(
    price: Price, discount: Discount, days: Days, is_first_period: bool
) -> Iterator[Line]:
    rent = priced_days(price.periods, RecurringItem.BASE_RENT, days)
    for run, yen in discount_yen(discount, rent, is_first_period):
        yield Line(LineItem.DISCOUNT, *run, -yen)
