"""Tenancies taken over: what another system knew of them on a day, and what follows.

Days up to `billed_through_on` were billed elsewhere and are never changed here; what was held,
unpaid and overpaid on the take-over day is in the ledger as opening entries.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from pms.rules.contract_dates import ContractTerm
from pms.rules.days import ONE_DAY, Days, month_first
from pms.rules.enumerations import ReservationKind
from pms.rules.ledger_entries import EntryBalance
from pms.rules.payments import AllocatedPart, distribute_yen
from pms.rules.rent_lines import RentLine

OPENING_DEPOSIT: Final = "opening deposit"
OPENING_CREDIT: Final = "opening credit"
_RENT: Final = "rent "


class OpeningDebt(NamedTuple):
    """What was unpaid: the rent of a month, told as `rent YYYY-MM`, or another thing by its name."""

    what: str
    yen: int
    due_on: date

    @property
    def month_on(self) -> date | None:
        """The first day of the month for rent; None for anything else."""
        month = self.what.removeprefix(_RENT)
        if month == self.what:
            return None
        try:
            return date.fromisoformat(f"{month}-01")
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class TakenOver:
    """What a tenancy brings with it: the day, the last day billed before, and its open amounts."""

    on: date
    billed_through_on: date
    deposit_held_yen: int = 0
    unpaid: tuple[OpeningDebt, ...] = ()
    overpaid_yen: int = 0


class TakeOverProblem(StrEnum):
    """Which fact of a take-over is refused (Tenancies taken over)."""

    TAKEN_OVER = "takenOver"
    DEPOSIT_HELD = "depositHeld"
    UNPAID = "unpaid"
    OVERPAID = "overpaid"


def refusal_of_take_over(
    taken: TakenOver, kind: ReservationKind, *, is_begun: bool
) -> TakeOverProblem | None:
    """Why a tenancy cannot be taken over, or None; one with entries is already managed here."""
    if is_begun:
        return TakeOverProblem.TAKEN_OVER
    is_owner = kind == ReservationKind.OWNER_RESIDENT
    if taken.deposit_held_yen < 0 or (is_owner and taken.deposit_held_yen):
        return TakeOverProblem.DEPOSIT_HELD
    if taken.overpaid_yen < 0:
        return TakeOverProblem.OVERPAID
    if any(debt.yen <= 0 or _is_unbilled(debt, taken) for debt in taken.unpaid):
        return TakeOverProblem.UNPAID
    return None


def _is_unbilled(debt: OpeningDebt, taken: TakenOver) -> bool:
    """Rent of a month after the last day billed cannot be unpaid yet."""
    return debt.month_on is not None and debt.month_on > month_first(taken.billed_through_on)


def days_billed_before(start_on: date, billed_through_on: date | None) -> Days | None:
    """The days of a tenancy billed before it was taken over, or None."""
    if billed_through_on is None or billed_through_on < start_on:
        return None
    return Days(start_on, billed_through_on)


def may_override_start(before_on: date, after_on: date, billed_through_on: date | None) -> bool:
    """Whether a start may become another: both lie after what was billed before."""
    return billed_through_on is None or min(before_on, after_on) > billed_through_on


def may_end_on(last_on: date | None, billed_through_on: date | None) -> bool:
    """Whether a contract, or a record before a change, may end on a day: not in days billed before."""
    return last_on is None or billed_through_on is None or last_on >= billed_through_on


def days_billed_ahead(
    move_out_on: date, term: ContractTerm, billed_through_on: date | None
) -> Days | None:
    """The days after a move-out that were billed before the take-over, or None.

    They are shown to staff, who alone can credit them.
    """
    first_on = max(move_out_on + ONE_DAY, term.start_on)
    if billed_through_on is None or billed_through_on < first_on:
        return None
    return Days(first_on, billed_through_on)


def charged_here(penalty_yen: int, charged_elsewhere_yen: int) -> int:
    """The part of a penalty charged here: what exceeds that of the notice taken over."""
    return max(penalty_yen - charged_elsewhere_yen, 0)


def lines_beyond(lines: Sequence[RentLine], charged_elsewhere_yen: int) -> tuple[RentLine, ...]:
    """The lines of a penalty less what was charged elsewhere, deducted from the first ones."""
    left, beyond = charged_elsewhere_yen, []
    for line in lines:
        cut = min(left, line.yen)
        left -= cut
        if line.yen > cut:
            beyond.append(line._replace(yen=line.yen - cut))
    return tuple(beyond)


def opening_name(number: int) -> str:
    """The name of a debt taken over, by its position."""
    return f"opening {number}"


def paid_by_opening_credit(
    credit: EntryBalance | None, issued: Sequence[EntryBalance]
) -> tuple[AllocatedPart, ...]:
    """What the opening overpayment pays of rows issued by a billing run, oldest due first."""
    if credit is None or not credit.overpaid_yen:
        return ()
    wanted = ((bill.id, bill.unpaid_yen) for bill in _oldest_first(issued))
    return distribute_yen(wanted, credit.overpaid_yen).allocations


def _oldest_first(standings: Iterable[EntryBalance]) -> list[EntryBalance]:
    return sorted(standings, key=lambda standing: standing.due_on)
