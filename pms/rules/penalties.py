"""Early-departure penalties."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Final

from pms.rules.contract_dates import ContractTerm
from pms.rules.days import ONE_DAY, Days, inclusive_days, split_by_month
from pms.rules.enumerations import LineItem, PenaltyKind, RecurringItem, ReservationKind
from pms.rules.notices import ForcedFlag, NoticeCount, count_notice, notice_owed_days
from pms.rules.policy import Policy
from pms.rules.price_changes import Timeline, monthly_yen, priced_days
from pms.rules.rent_lines import RentLine, prorated_yen, total_yen
from pms.rules.yen import round_half_away


@dataclass(frozen=True, slots=True)
class PenaltyComputation:
    """One of the two computations: its days and lines before any cap, and its yen after it."""

    days: int
    lines: tuple[RentLine, ...]
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
    term: ContractTerm, move_out_on: date, periods: Timeline, policy: Policy
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


def penalty_lines(move_out_on: date, days: int, periods: Timeline) -> tuple[RentLine, ...]:
    """Price `days` days from the day after the move-out at each day's own rate (penalties 6).

    Undiscounted base rent by the days of each calendar month: one line per month and rent, each
    rounded by itself.
    """
    if not days:
        return ()
    return tuple(
        _list_lines_by_month(
            Days(move_out_on + ONE_DAY, move_out_on + timedelta(days=days)), periods
        )
    )


def _list_lines_by_month(days: Days, periods: Timeline) -> Iterator[RentLine]:
    for month in split_by_month(days):
        for run, rent_yen in priced_days(periods, RecurringItem.BASE_RENT, month):
            yield RentLine(LineItem.PENALTY, *run, round_half_away(prorated_yen(rent_yen, run)))


FORFEIT_YEN: Final = 0
"""The retired forfeit on every new notice (Deposit 6)."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A filed departure; an amendment is a room or occupant change, which is no departure.

    `is_excused`: staff accepted that it cannot be helped, so that no early exit is owed.
    """

    term: ContractTerm
    filed_on: date
    move_out_on: date
    kind: ReservationKind = ReservationKind.RESIDENT
    forced: ForcedFlag | None = None
    is_amendment: bool = False
    is_excused: bool = False


@dataclass(frozen=True, slots=True)
class Penalty:
    """Both computations and the billed result.

    `yen` and `days` are stored; `basis` is the computation that won, while `kind` follows the
    dates; `runs_until_on` is the end date named by a capped early exit, else None.
    """

    notice: NoticeCount
    early_exit: PenaltyComputation
    short_notice: PenaltyComputation
    yen: int
    days: int
    kind: PenaltyKind
    basis: PenaltyKind
    lines: tuple[RentLine, ...]
    runs_until_on: date | None

    @property
    def is_capped(self) -> bool:
        """Whether the billed amount was capped (Move-out penalties 7)."""
        return self.basis is PenaltyKind.EARLY_EXIT and self.early_exit.is_capped


def penalty_of(departure: Departure, periods: Timeline, policy: Policy) -> Penalty:
    """The penalty of a filed departure (specification, Move-out penalties 1 to 9).

    Both computations are made and the larger is billed, a tie once. Guests and owner residents
    owe none, nor does a room or occupant change; who cannot help leaving owes no early exit.
    """
    notice = count_notice(
        departure.term,
        departure.filed_on,
        departure.move_out_on,
        departure.forced,
        policy,
        is_excused=departure.is_excused,
    )
    if departure.is_amendment or departure.kind is not ReservationKind.RESIDENT:
        return _choose_larger_penalty(departure, notice, NO_PENALTY, NO_PENALTY)
    early_exit = NO_PENALTY
    if not departure.is_excused:
        early_exit = early_exit_of(departure.term, departure.move_out_on, periods, policy)
    short_notice = short_notice_of(departure.move_out_on, notice.missing_days, periods)
    return _choose_larger_penalty(departure, notice, early_exit, short_notice)


def stored_kind(yen: int, term: ContractTerm, move_out_on: date) -> PenaltyKind:
    """The kind of a stored penalty, read from the dates alone (Move-out penalties 9)."""
    if not yen:
        return PenaltyKind.NONE
    is_early = term.end_on is not None and move_out_on < term.end_on
    return PenaltyKind.EARLY_EXIT if is_early else PenaltyKind.SHORT_NOTICE


def _choose_larger_penalty(
    departure: Departure,
    notice: NoticeCount,
    early_exit: PenaltyComputation,
    short_notice: PenaltyComputation,
) -> Penalty:
    is_early = early_exit.yen >= short_notice.yen
    won = early_exit if is_early else short_notice
    basis = PenaltyKind.EARLY_EXIT if is_early else PenaltyKind.SHORT_NOTICE
    return Penalty(
        notice=notice,
        early_exit=early_exit,
        short_notice=short_notice,
        yen=won.yen,
        days=won.days if won.yen else 0,
        kind=stored_kind(won.yen, departure.term, departure.move_out_on),
        basis=basis if won.yen else PenaltyKind.NONE,
        lines=_billed_lines(won),
        runs_until_on=departure.term.end_on if won.yen and won.is_capped else None,
    )


def _billed_lines(won: PenaltyComputation) -> tuple[RentLine, ...]:
    """The lines as billed: a capped amount is one line over all its days, without a daily rate."""
    if not won.is_capped:
        return won.lines
    days = won.lines[0].first_on, won.lines[-1].last_on
    return (RentLine(LineItem.PENALTY, *days, won.yen),) if won.yen else ()


def earliest_without_penalty(
    term: ContractTerm, filed_on: date, forced: ForcedFlag | None, policy: Policy
) -> date:
    """The first day with enough notice that is not before the contract end (penalties 1 and 8).

    The filing day counts as a day of notice.
    """
    owed_days = notice_owed_days(term, filed_on, forced, policy)
    noticed_on = filed_on + timedelta(days=max(owed_days - 1, 0))
    return max(noticed_on, term.end_on or noticed_on, term.start_on)
