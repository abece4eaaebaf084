"""The lines that bill a run of days: each item prorated at the price in force, less the discount, rounded once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from pms.rules.contract_dates import ContractTerm, contract_days
from pms.rules.days import Days, inclusive_days, is_whole_month, month_days
from pms.rules.enumerations import LineItem, RecurringItem
from pms.rules.price_changes import PricedDays, Timeline, items_between, priced_days
from pms.rules.yen import percent_of, round_half_away


def prorated_yen(monthly_yen: int, days: Days) -> Fraction | int:
    """The exact share of a monthly amount, by the real days of the month (Money 5).

    The run is within one calendar month. Rounding happens once, on the line.
    """
    if is_whole_month(days):
        return monthly_yen
    share = inclusive_days(days.first_on, days.last_on) * monthly_yen
    return Fraction(share, month_days(days.first_on))


@dataclass(frozen=True, slots=True)
class Discount:
    """A percentage of the base rent or whole yen a month; a non-recurring one applies once."""

    percent: Decimal | None = None
    yen: int | None = None
    is_recurring: bool = True
    minimum_stay_days: int = 0


def earns_discount(discount: Discount, term: ContractTerm) -> bool:
    """Whether the agreed term meets the minimum stay at booking (Pricing snapshot, Discount).

    Checked once: afterwards the discount is frozen. An open term meets no minimum.
    """
    return (contract_days(term) or 0) >= discount.minimum_stay_days


def discount_yen(
    discount: Discount, rent: Sequence[PricedDays], is_first_period: bool
) -> list[tuple[Days, int]]:
    """Return runs of days with the yen taken off, as positive figures (Move-in invoice rules 3).

    `rent` is the base rent of days that are billed together. A non-recurring discount applies to
    the first billed period only.
    """
    if not (discount.is_recurring or is_first_period):
        return []
    if discount.percent is not None:
        return [(run.days, _percent_yen(discount.percent, run)) for run in rent]
    return _monthly_yen(discount.yen or 0, rent)


def _percent_yen(percent: Decimal, run: PricedDays) -> int:
    """The share of the exact prorated rent, never of the rounded line (Money 2 and 3)."""
    exact = prorated_yen(run.monthly_yen, run.days)
    return round_half_away(min(percent_of(percent, exact), exact))


def _monthly_yen(yen: int, rent: Sequence[PricedDays]) -> list[tuple[Days, int]]:
    """Yen a month, prorated with the rent and never more than it; equal amounts form one run."""
    taken: list[tuple[Days, int]] = []
    for monthly_yen, runs_together in groupby(rent, lambda run: min(yen, run.monthly_yen)):
        runs = list(runs_together)
        days = Days(runs[0].days.first_on, runs[-1].days.last_on)
        rounded = round_half_away(prorated_yen(monthly_yen, days))
        # Each rent line is rounded by itself, so a discount of nearly all of it could exceed it.
        billed = sum(round_half_away(prorated_yen(run.monthly_yen, run.days)) for run in runs)
        taken.append((days, min(rounded, billed)))
    return [(days, yen) for days, yen in taken if yen]


class RentLine(NamedTuple):
    """One item at one price over one run of days, in whole yen; a credit is negative."""

    item: str
    first_on: date
    last_on: date
    yen: int


class Price(NamedTuple):
    """The price of a reservation: the timeline in force and the discount frozen with it."""

    periods: Timeline
    discount: Discount | None = None


def rent_lines(price: Price, days: Days, is_first_period: bool = False) -> tuple[RentLine, ...]:
    """Return the lines of days billed together, all in one calendar month (Money 2 and 5).

    All recurring amounts are prorated; the discount follows the base rent.
    """
    lines: list[RentLine] = []
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
    exact = sum(_sum_prorated_yen(price.periods, item, days) for item in items)
    discount = price.discount
    if discount is None or not (discount.is_recurring or is_first_period):
        return round_half_away(exact)
    rent = _sum_prorated_yen(price.periods, RecurringItem.BASE_RENT, days)
    if discount.percent is not None:
        return round_half_away(exact - min(percent_of(discount.percent, rent), rent))
    return round_half_away(exact - min(prorated_yen(discount.yen or 0, days), rent))


def total_yen(lines: Iterable[RentLine]) -> int:
    """An entry's total: the sum of its rounded lines (Money 2)."""
    return sum(line.yen for line in lines)


def _item_lines(periods: Timeline, item: str, days: Days) -> Iterator[RentLine]:
    for run, monthly_yen in priced_days(periods, item, days):
        yield RentLine(item, *run, round_half_away(prorated_yen(monthly_yen, run)))


def _sum_prorated_yen(periods: Timeline, item: str, days: Days) -> Fraction | int:
    runs = priced_days(periods, item, days)
    return sum((prorated_yen(monthly_yen, run) for run, monthly_yen in runs), start=0)


def _discount_lines(
    price: Price, discount: Discount, days: Days, is_first_period: bool
) -> Iterator[RentLine]:
    rent = priced_days(price.periods, RecurringItem.BASE_RENT, days)
    for run, yen in discount_yen(discount, rent, is_first_period):
        yield RentLine(LineItem.DISCOUNT, *run, -yen)
