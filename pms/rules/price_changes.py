"""A timeline of prices: when it is refused, and how a new period enters it."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from itertools import pairwise

from pms.rules.days import ONE_DAY
from pms.rules.price_timeline import PricePeriod, Timeline, period_on


class TimelineProblem(StrEnum):
    """Why periods are no timeline (specification, Pricing snapshot)."""

    NO_PERIOD = "no_period"
    REVERSED = "reversed"
    OVERLAP = "overlap"
    GAP = "gap"
    NOT_OPEN_ENDED = "not_open_ended"


def refusal_of_timeline(periods: Timeline) -> TimelineProblem | None:
    """Why these periods are no timeline, or None (Pricing snapshot, Current price)."""
    if not periods:
        return TimelineProblem.NO_PERIOD
    if any(period.last_on and period.last_on < period.first_on for period in periods):
        return TimelineProblem.REVERSED
    for one, following in pairwise(periods):
        if one.last_on is None or following.first_on <= one.last_on:
            return TimelineProblem.OVERLAP
        if following.first_on > one.last_on + ONE_DAY:
            return TimelineProblem.GAP
    return None if periods[-1].last_on is None else TimelineProblem.NOT_OPEN_ENDED


def with_new_period(
    periods: Timeline, from_on: date, changes: Mapping[str, int]
) -> tuple[PricePeriod, ...]:
    """The timeline with a new period from a day, other amounts as before (Pricing snapshot).

    It ends where the period it cuts would have ended; periods already agreed later stay.
    """
    cut = period_on(periods, from_on)
    amounts = {**cut.amounts, **changes}
    last_on = cut.last_on if cut.first_on <= from_on else cut.first_on - ONE_DAY
    earlier = [period for period in periods if period.first_on < from_on]
    later = [period for period in periods if period.first_on > from_on]
    if earlier:
        earlier[-1] = earlier[-1]._replace(last_on=from_on - ONE_DAY)
    return (*earlier, PricePeriod(from_on, last_on, amounts), *later)
