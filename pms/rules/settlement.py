"""Deposit settlement; the refund is a separate step."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pms.rules.enumerations import SettlementState
from pms.rules.ledger_entries import Standing
from pms.rules.payments import Allocation, filled


class Deduction(NamedTuple):
    """One deduction at settlement, in whole yen."""

    id: str
    yen: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a settlement writes and the remainder, in whole yen.

    `deductions` are the covered parts, `charges` the parts not covered; `nettings` pay unpaid
    entries; `draws` take the overpayments from their entries; one settled line closes `held_yen`.
    """

    held_yen: int
    overpaid_yen: int
    deductions: tuple[Allocation, ...]
    charges: tuple[Allocation, ...]
    nettings: tuple[Allocation, ...]
    draws: tuple[Allocation, ...]
    remainder_yen: int
    owed_yen: int

    @property
    def deducted_yen(self) -> int:
        """The sum of covered deductions (Deposit 5)."""
        return sum(part.yen for part in self.deductions)

    @property
    def netted_yen(self) -> int:
        """The sum of unpaid amounts that became paid (Deposit 5; Move-out penalties 3)."""
        return sum(part.yen for part in self.nettings)


class RefundProblem(StrEnum):
    """Why a refund cannot be sent (specification, Deposit 5)."""

    NOT_POSITIVE = "not_positive"
    NOTHING_TO_REFUND = "nothing_to_refund"
    ABOVE_REMAINDER = "above_remainder"


def settle(
    held_yen: int, standings: Sequence[Standing], deductions: Iterable[Deduction] = ()
) -> Settlement:
    """Deductions, then every issued unpaid amount, oldest due first, then the remainder (Deposit 5).

    All from what is held plus what is overpaid. A deduction that is not reached becomes a
    charge, and what the deposit does not reach stays owed.
    """
    draws = tuple(Allocation(entry.id, entry.overpaid_yen) for entry in standings)
    overpaid_yen = sum(draw.yen for draw in draws)
    wanted = [*deductions]
    deducted = filled(wanted, held_yen + overpaid_yen)
    charges = _unreached(wanted, deducted.allocations)
    unpaid = [
        (entry.id, entry.unpaid_yen) for entry in sorted(standings, key=lambda entry: entry.due_on)
    ]
    netted = filled(unpaid, deducted.left_yen)
    still_unpaid_yen = sum(yen for _, yen in unpaid) - sum(part.yen for part in netted.allocations)
    return Settlement(
        held_yen=held_yen,
        overpaid_yen=overpaid_yen,
        deductions=deducted.allocations,
        charges=charges,
        nettings=netted.allocations,
        draws=tuple(draw for draw in draws if draw.yen),
        remainder_yen=netted.left_yen,
        owed_yen=still_unpaid_yen + sum(charge.yen for charge in charges),
    )


def settlement_state(remainder_yen: int, owed_yen: int, sent_yen: int = 0) -> SettlementState:
    """Where a settlement stands once so much refund was sent (Deposit 5).

    Refunded only when all of the remainder was sent; owing nothing back is a zero refund.
    """
    if remainder_yen > 0:
        is_sent = sent_yen >= remainder_yen
        return SettlementState.REFUNDED if is_sent else SettlementState.REFUND_PENDING
    return SettlementState.RESIDENT_OWES if owed_yen > 0 else SettlementState.ZERO_REFUND


def refusal_of_refund(remainder_yen: int, sent_yen: int, amount_yen: int) -> RefundProblem | None:
    """Why a refund is refused after `sent_yen` were sent, or None (Deposit 5)."""
    if amount_yen <= 0:
        return RefundProblem.NOT_POSITIVE
    if remainder_yen <= sent_yen:
        return RefundProblem.NOTHING_TO_REFUND
    is_above = sent_yen + amount_yen > remainder_yen
    return RefundProblem.ABOVE_REMAINDER if is_above else None


def _unreached(
    wanted: Iterable[Deduction], reached: Iterable[Allocation]
) -> tuple[Allocation, ...]:
    """The part of each deduction that was not covered."""
    parts = dict(reached)
    rest = ((want.id, want.yen - parts.get(want.id, 0)) for want in wanted)
    return tuple(Allocation(id_, yen) for id_, yen in rest if yen)
