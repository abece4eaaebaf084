"""Runs of days and the exact share of a monthly amount that they cost."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from pms.rules.days import ONE_DAY, inclusive_days, month_days, month_last


class Days(NamedTuple):
    """A run of days, both ends inside."""

    first_on: date
    last_on: date


def split_by_month(days: Days) -> Iterator[Days]:
    """The run cut at the ends of calendar months, so that each part has one daily rate (Money 5)."""
    first_on = days.first_on
    while first_on <= days.last_on:
        last_on = min(month_last(first_on), days.last_on)
        yield Days(first_on, last_on)
        first_on = last_on + ONE_DAY


def is_whole_month(days: Days) -> bool:
    """Whether the run is one calendar month from its 1st to its last (Move-in invoice rules 4)."""
    return days.first_on.day == 1 and days.last_on == month_last(days.first_on)


def prorated_yen(monthly_yen: int, days: Days) -> Fraction | int:
    """The exact share of a monthly amount, by the real days of the month (Money 5).

    The run lies in one calendar month. Nothing is rounded here: that happens once, on the line.
    """
    if is_whole_month(days):
        return monthly_yen
    share = inclusive_days(days.first_on, days.last_on) * monthly_yen
    return Fraction(share, month_days(days.first_on))
