"""Changes of price and what they do to billed rows."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from pms.rules.days import ONE_DAY, Days
from pms.rules.enumerations import RecurringItem


class PriceSpan(NamedTuple):
    """Monthly amounts in whole yen by item, from one day through another; the last has no end.

    An item is a `RecurringItem` or the code of a workspace-defined monthly fee.
    """

    first_on: date
    last_on: date | None
    amounts: Mapping[str, int]


Timeline: TypeAlias = Sequence[PriceSpan]
"""Periods in order, without gap or overlap, the last one open-ended."""


class PricedDays(NamedTuple):
    """A run of days on which one item has the same monthly amount."""

    days: Days
    monthly_yen: int


_FIXED_ORDER: Final = tuple(item.value for item in RecurringItem)


def period_on(periods: Timeline, day: date) -> PriceSpan:
    """The period in force on a day (Pricing snapshot); days before the first use the first."""
    if len(periods) == 1:
        return periods[0]
    return periods[max(bisect_right(periods, day, key=lambda period: period.first_on) - 1, 0)]


def monthly_yen(periods: Timeline, item: str, day: date) -> int:
    """Yen a month of one item on a day, 0 where it is not in force (Pricing snapshot)."""
    return period_on(periods, day).amounts.get(item, 0)


def items_between(periods: Timeline, days: Days) -> tuple[str, ...]:
    """The items with an amount on any of the days: the fixed ones first, then the fees."""
    found = {
        item: None
        for period in _periods_between(periods, days)
        for item, yen in period.amounts.items()
        if yen
    }
    fixed = tuple(item for item in _FIXED_ORDER if item in found)
    return fixed + tuple(item for item in found if item not in fixed)


def priced_days(periods: Timeline, item: str, days: Days) -> list[PricedDays]:
    """Cut days where the amount of an item changes (Pricing snapshot; Money 2).

    An item that a new period leaves unchanged stays one run. Days without an amount are left out.
    """
    runs: list[PricedDays] = []
    for period in _periods_between(periods, days):
        yen = period.amounts.get(item, 0)
        first_on = max(period.first_on, days.first_on) if runs else days.first_on
        if runs and runs[-1].monthly_yen == yen:
            first_on = runs.pop().days.first_on
        last_on = min(period.last_on or days.last_on, days.last_on)
        runs.append(PricedDays(Days(first_on, last_on), yen))
    return [run for run in runs if run.monthly_yen]


def _periods_between(periods: Timeline, days: Days) -> Timeline:
    first = period_on(periods, days.first_on)
    if first.last_on is None or first.last_on >= days.last_on:
        return (first,)
    later = [period for period in periods if days.first_on < period.first_on <= days.last_on]
    return [first, *(period for period in later if period is not first)]


class TimelineProblem(StrEnum):
    """Why periods do not form a timeline (specification, Pricing snapshot)."""

    NO_PERIOD = "no_period"
    REVERSED = "reversed"
    OVERLAP = "overlap"
    GAP = "gap"
    NOT_OPEN_ENDED = "not_open_ended"


def refusal_of_timeline(periods: Timeline) -> TimelineProblem | None:
    """Why these periods do not form a timeline, or None (Pricing snapshot, Current price)."""
    if not periods:
        return TimelineProblem.NO_PERIOD
    if any(period.last_on and period.last_on < period.first_on for period in periods):
        return TimelineProblem.REVERSED
    for current, following in pairwise(periods):
        if current.last_on is None or following.first_on <= current.last_on:
            return TimelineProblem.OVERLAP
        if following.first_on > current.last_on + ONE_DAY:
            return TimelineProblem.GAP
    return None if periods[-1].last_on is None else TimelineProblem.NOT_OPEN_ENDED


def with_new_period(
    periods: Timeline, from_on: date, changes: Mapping[str, int]
) -> tuple[PriceSpan, ...]:
    """Add a period from a day to the timeline, other amounts unchanged (Pricing snapshot).

    It ends where the period it cuts would have ended; periods already agreed for later stay.
    """
    cut = period_on(periods, from_on)
    amounts = {**cut.amounts, **changes}
    last_on = cut.last_on if cut.first_on <= from_on else cut.first_on - ONE_DAY
    earlier = [period for period in periods if period.first_on < from_on]
    later = [period for period in periods if period.first_on > from_on]
    if earlier:
        earlier[-1] = earlier[-1]._replace(last_on=from_on - ONE_DAY)
    return (*earlier, PriceSpan(from_on, last_on, amounts), *later)
