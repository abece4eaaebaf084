"""The two computations of a move-out penalty: leaving early, and leaving at short notice."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Final

from pms.rules.contract_dates import Term
from pms.rules.day_runs import Days, split_by_month
from pms.rules.days import ONE_DAY, inclusive_days
from pms.rules.enumerations import LineItem, RecurringItem
from pms.rules.policy import Policy
from pms.rules.price_timeline import Timeline, monthly_yen, priced_days
from pms.rules.proration import prorated_yen
from pms.rules.rent_lines import Line, total_yen
from pms.rules.yen import round_half_away


@dataclass(frozen=True, slots=True)
class PenaltyComputation:
    """One of the two computations: its days and lines before any cap, and its yen after it."""

    days: int
    lines: tuple[Line, ...]
    yen: int

    @property
    def uncapped_yen(self) -> int:
        """The sum of the lines (Money 2)."""
        return total_yen(self.lines)

    @property
    def is_capped(self) -> bool:
        """Whether the cap took something off (Move-out penalties 7)."""
        return self.yen < self.uncapped_yen


NO_PENALTY: Final = PenaltyComputation(0, (), 0)


def early_exit_of(
    term: Term, move_out_on: date, periods: Timeline, policy: Policy
) -> PenaltyComputation:
    """The days after the move-out through the contract end, capped (penalties 1, 6 and 7)."""
    if term.end_on is None or move_out_on >= term.end_on:
        return NO_PENALTY
    days = inclusive_days(move_out_on, term.end_on) - 1
    lines = penalty_lines(move_out_on, days, periods)
    cap_yen = early_exit_cap_yen(move_out_on, periods, policy)
    return PenaltyComputation(days, lines, min(total_yen(lines), cap_yen))


def short_notice_of(move_out_on: date, missing_days: int, periods: Timeline) -> PenaltyComputation:
    """The missing days of notice only, never capped (Move-out penalties 1, 6 and 8)."""
    lines = penalty_lines(move_out_on, missing_days, periods)
    return PenaltyComputation(missing_days, lines, total_yen(lines))


def early_exit_cap_yen(move_out_on: date, periods: Timeline, policy: Policy) -> int:
    """The cap: months of the base rent in force on the move-out day (Move-out penalties 7)."""
    rent_yen = monthly_yen(periods, RecurringItem.BASE_RENT, move_out_on)
    return round_half_away(Fraction(policy.early_exit_cap_months) * rent_yen)


def penalty_lines(move_out_on: date, days: int, periods: Timeline) -> tuple[Line, ...]:
    """So many days from the day after the move-out, at each day's own rate (penalties 6).

    Undiscounted base rent by the days of each calendar month: one line for each month and
    each rent, rounded by itself.
    """
    if not days:
        return ()
    return tuple(_lines(Days(move_out_on + ONE_DAY, move_out_on + timedelta(days=days)), periods))


def _lines(days: Days, periods: Timeline) -> Iterator[Line]:
    for month in split_by_month(days):
        for run, rent_yen in priced_days(periods, RecurringItem.BASE_RENT, month):
            yield Line(LineItem.PENALTY, *run, round_half_away(prorated_yen(rent_yen, run)))
