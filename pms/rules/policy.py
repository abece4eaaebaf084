"""The policy of a workspace."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from pms.rules.days import ONE_DAY, month_first, month_last


class Days(NamedTuple):
    """A run of days, both ends included."""

    first_on: date
    last_on: date


def month_of(day: date) -> Days:
    """The calendar month of a day."""
    return Days(month_first(day), month_last(day))


def is_whole_month(days: Days) -> bool:
    """Whether the run is one calendar month from its 1st to its last (Move-in invoice rules 4)."""
    return days.first_on.day == 1 and days.last_on == month_last(days.first_on)


def share_a_day(days: Days, other: Days) -> bool:
    """Whether two runs have a day in common."""
    return days.first_on <= other.last_on and other.first_on <= days.last_on


def split_by_month(days: Days) -> Iterator[Days]:
    """The run cut at month ends, so that each part has one daily rate (Money 5)."""
    first_on = days.first_on
    while first_on <= days.last_on:
        last_on = min(month_last(first_on), days.last_on)
        yield Days(first_on, last_on)
        first_on = last_on + ONE_DAY


def free_runs(days: Days, taken: Sequence[Days]) -> Iterator[Days]:
    """The parts of a run outside the `taken` runs, which are in order."""
    free_on = days.first_on
    for other in taken:
        if other.first_on > days.last_on:
            break
        if free_on < other.first_on:
            yield Days(free_on, other.first_on - ONE_DAY)
        free_on = max(free_on, other.last_on + ONE_DAY)
    if free_on <= days.last_on:
        yield Days(free_on, days.last_on)


@dataclass(frozen=True, slots=True)
class Policy:
    """One workspace's figures (specification, Move-out penalties 10)."""

    short_contract_days: int = 31
    """Contracts of at most this many inclusive days are short (Move-out penalties 4)."""

    short_notice_days: int = 15
    """Days of notice owed on a short contract (Move-out penalties 4)."""

    long_notice_days: int = 30
    """Days of notice owed on a longer contract and month to month (Move-out penalties 4, 5)."""

    full_calendar_month_is_long: bool = True
    """Whether a contract spanning a full calendar month is always long (Move-out penalties 4)."""

    early_exit_cap_months: Decimal | int = 1
    """The most months of base rent, also fractions, that an early exit costs (penalties 7)."""

    billing_day: int = 25
    """Day of the month before on which ordinary rent is issued."""

    turnover_days: int = 0
    """Days a unit stays empty between a departure and the next stay (Availability)."""

    longest_guest_stay: int = 180
    """The most nights of a guest's stay; a longer one needs a resident's contract (Guest)."""

    overpayments_pay_next_bills: bool = False
    """Whether each billing run uses overpayments to pay open bills of the residents it bills."""


DEFAULT_POLICY = Policy()
