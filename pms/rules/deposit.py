"""The deposit: its balance, its reporting, its settlement, and the refund as a separate step."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from pms.rules.enumerations import (
    DepositExclusion,
    DepositMoveKind,
    ReservationKind,
    SettlementState,
)
from pms.rules.ledger_entries import EntryBalance
from pms.rules.payments import AllocatedPart, distribute_yen


class DepositMove(NamedTuple):
    """Held deposit that was settled, or transferred to or from another reservation on paper."""

    on: date
    kind: DepositMoveKind
    yen: int

    @property
    def line_yen(self) -> int:
        """The ledger line of the move: positive on the reservation that receives it (Deposit 4)."""
        return self.yen if self.kind == DepositMoveKind.IN else -self.yen


class DepositTransfer(NamedTuple):
    """One paper transfer: the line on the old reservation and the line on the new one."""

    out: DepositMove
    into: DepositMove


@dataclass(frozen=True, slots=True)
class DepositBalance:
    """The parts of a balance in whole yen; the balance itself may be negative."""

    held_yen: int
    unpaid_yen: int
    overpaid_yen: int

    @property
    def balance_yen(self) -> int:
        """Held, reduced by unpaid rent and charges, increased by overpayments (Deposit 2)."""
        return self.held_yen - self.unpaid_yen + self.overpaid_yen


def deposit_balance(
    standings: Iterable[EntryBalance], moves: Iterable[DepositMove], on: date
) -> DepositBalance:
    """Compute the balance on a day from the ledger at that day (Deposit 2).

    `standings` are the entries issued by that day; unpaid amounts count only when due.
    """
    held_yen = sum(move.line_yen for move in moves if move.on <= on)
    unpaid_yen = overpaid_yen = 0
    for standing in standings:
        held_yen += standing.collected_yen
        overpaid_yen += standing.overpaid_yen
        unpaid_yen += standing.unpaid_yen if standing.due_on <= on else 0
    return DepositBalance(held_yen, unpaid_yen, overpaid_yen)


def deposit_transfer(held_yen: int, on: date) -> DepositTransfer | None:
    """Transfer the whole held deposit at a room or occupant change (Deposit 4).

    No cash moves and debts stay on the old record; the two lines sum to 0. None without a deposit.
    """
    if held_yen <= 0:
        return None
    return DepositTransfer(
        DepositMove(on, DepositMoveKind.OUT, held_yen),
        DepositMove(on, DepositMoveKind.IN, held_yen),
    )


@dataclass(frozen=True, slots=True)
class ReportedReservation:
    """The facts that decide about deposit reporting; the balance exists for every reservation."""

    kind: ReservationKind = ReservationKind.RESIDENT
    is_imported: bool = False
    has_moved_in: bool = True
    """By the lifecycle: false for one that is booked or confirmed, whatever the day."""
    is_move_in_invoice_paid: bool = True
    """Also true without an invoice, as of a tenancy taken over."""


def exclusion_of(reservation: ReportedReservation) -> DepositExclusion | None:
    """Why deposit reporting leaves a reservation out, or None (Deposit 3)."""
    if reservation.is_imported:
        return DepositExclusion.RENT_ROLL
    if reservation.kind == ReservationKind.OWNER_RESIDENT:
        return DepositExclusion.OWNER_RESIDENT
    if reservation.kind == ReservationKind.GUEST:
        return DepositExclusion.GUEST
    is_onboarded = reservation.has_moved_in or reservation.is_move_in_invoice_paid
    return None if is_onboarded else DepositExclusion.ONBOARDING


class Deduction(NamedTuple):
    """One deduction at settlement, in whole yen."""

    id: str
    yen: int


@dataclass(frozen=True, slots=True)
class DepositSettlement:
    """What a settlement writes and the remainder, in whole yen.

    `deductions` are the covered parts, `charges` the parts not covered; `nettings` pay unpaid
    entries; `draws` take the overpayments from their entries; one settled line closes `held_yen`.
    """

    held_yen: int
    overpaid_yen: int
    deductions: tuple[AllocatedPart, ...]
    charges: tuple[AllocatedPart, ...]
    nettings: tuple[AllocatedPart, ...]
    draws: tuple[AllocatedPart, ...]
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
    held_yen: int, standings: Sequence[EntryBalance], deductions: Iterable[Deduction] = ()
) -> DepositSettlement:
    """Deductions, then every issued unpaid amount, oldest due first, then the remainder (Deposit 5).

    All from what is held plus what is overpaid. A deduction that is not reached becomes a
    charge, and what the deposit does not reach stays owed.
    """
    draws = tuple(AllocatedPart(entry.id, entry.overpaid_yen) for entry in standings)
    overpaid_yen = sum(draw.yen for draw in draws)
    wanted = [*deductions]
    deducted = distribute_yen(wanted, held_yen + overpaid_yen)
    charges = _unreached_parts(wanted, deducted.allocations)
    unpaid = [
        (entry.id, entry.unpaid_yen) for entry in sorted(standings, key=lambda entry: entry.due_on)
    ]
    netted = distribute_yen(unpaid, deducted.left_yen)
    still_unpaid_yen = sum(yen for _, yen in unpaid) - sum(part.yen for part in netted.allocations)
    return DepositSettlement(
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

    Refunded only when all of the remainder, and of what was overpaid later, was sent; owing nothing back is a zero refund.
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


def refundable_overpayment(standings: Iterable[EntryBalance]) -> int:
    """Return what is overpaid above all unpaid bills: it is sent back (Deposit 2, 5)."""
    found = list(standings)
    overpaid_yen = sum(entry.overpaid_yen for entry in found)
    return max(overpaid_yen - sum(entry.unpaid_yen for entry in found), 0)


def _unreached_parts(
    wanted: Iterable[Deduction], reached: Iterable[AllocatedPart]
) -> tuple[AllocatedPart, ...]:
    """The part of each deduction that was not covered."""
    parts = dict(reached)
    rest = ((want.id, want.yen - parts.get(want.id, 0)) for want in wanted)
    return tuple(AllocatedPart(id_, yen) for id_, yen in rest if yen)
