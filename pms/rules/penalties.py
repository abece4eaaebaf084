"""What leaving early or at short notice costs, and which of the two is billed."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from pms.rules.contract_dates import Term
from pms.rules.enumerations import LineItem, PenaltyKind, ReservationKind
from pms.rules.notice_period import ForcedFlag, NoticeCount, count_notice
from pms.rules.penalty_computations import (
    NO_PENALTY,
    PenaltyComputation,
    early_exit_of,
    short_notice_of,
)
from pms.rules.policy import Policy
from pms.rules.price_timeline import Timeline
from pms.rules.rent_lines import Line

FORFEIT_YEN: Final = 0
"""The retired forfeit on every new notice (Deposit 6)."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A filed departure; an amendment is a room or occupant change, which is no departure."""

    term: Term
    filed_on: date
    move_out_on: date
    kind: ReservationKind = ReservationKind.RESIDENT
    forced: ForcedFlag | None = None
    is_amendment: bool = False


@dataclass(frozen=True, slots=True)
class Penalty:
    """Both computations and what is billed of them.

    `yen` and `days` are the stored pair; `basis` is the computation that won, while `kind`
    follows the dates; `runs_until_on` is the end a capped early exit names, else None.
    """

    notice: NoticeCount
    early_exit: PenaltyComputation
    short_notice: PenaltyComputation
    yen: int
    days: int
    kind: PenaltyKind
    basis: PenaltyKind
    lines: tuple[Line, ...]
    runs_until_on: date | None

    @property
    def is_capped(self) -> bool:
        """Whether what is billed was capped (Move-out penalties 7)."""
        return self.basis is PenaltyKind.EARLY_EXIT and self.early_exit.is_capped


def penalty_of(departure: Departure, periods: Timeline, policy: Policy) -> Penalty:
    """The penalty of a filed departure (specification, Move-out penalties 1 to 9).

    Both computations are made and the larger is billed, a tie once. Guests and owner residents
    owe none, nor does a room or occupant change.
    """
    notice = count_notice(
        departure.term, departure.filed_on, departure.move_out_on, departure.forced, policy
    )
    if departure.is_amendment or departure.kind is not ReservationKind.RESIDENT:
        return _larger(departure, notice, NO_PENALTY, NO_PENALTY)
    early_exit = early_exit_of(departure.term, departure.move_out_on, periods, policy)
    short_notice = short_notice_of(departure.move_out_on, notice.missing_days, periods)
    return _larger(departure, notice, early_exit, short_notice)


def stored_kind(yen: int, term: Term, move_out_on: date) -> PenaltyKind:
    """The kind of a stored penalty, read from the dates alone (Move-out penalties 9)."""
    if not yen:
        return PenaltyKind.NONE
    is_early = term.end_on is not None and move_out_on < term.end_on
    return PenaltyKind.EARLY_EXIT if is_early else PenaltyKind.SHORT_NOTICE


def _larger(
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


def _billed_lines(won: PenaltyComputation) -> tuple[Line, ...]:
    """The lines as billed: a capped amount is one line over all its days, for it has no rate."""
    if not won.is_capped:
        return won.lines
    days = won.lines[0].first_on, won.lines[-1].last_on
    return (Line(LineItem.PENALTY, *days, won.yen),) if won.yen else ()
