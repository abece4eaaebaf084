"""The deposit balance and deposit reporting."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from pms.rules.enumerations import DepositExclusion, DepositMoveKind, ReservationKind
from pms.rules.ledger_entries import Standing


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
    standings: Iterable[Standing], moves: Iterable[DepositMove], on: date
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
