"""The statement of a reservation's ledger."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import asked_once
from pms.foundation.work import has_row
from pms.ledger.models import (
    Allocation,
    DepositMoveRow,
    LedgerEntry,
    Payment,
    PaymentReturn,
)
from pms.ledger.queries import EntryRecord, deposit_moves, entries_of, standings
from pms.reservations.models import Reservation
from pms.rules.deposit import DepositBalance, DepositMove, deposit_balance
from pms.rules.enumerations import DepositMoveKind, ReturnKind
from pms.rules.ledger_entries import EntryBalance


class Movement(StrEnum):
    """The kind of a row of a statement."""

    BILLED = "billed"
    PAID = "paid"
    RETURNED = "returned"
    REVERSED = "reversed"
    RESTORED = "restored"
    NETTED = "netted"
    MOVED = "moved"
    DEPOSIT_OUT = "deposit_out"
    DEPOSIT_IN = "deposit_in"


class LedgerMovement(NamedTuple):
    """One movement and the balance after it, in whole yen; an overpayment is negative.

    A held deposit that moved on paper has no entry and changes no balance: `deposit_yen` is
    negative on the reservation it left and the same positive on the one it reached, whose id is
    `other_id`.
    """

    on: date
    movement: Movement
    entry_id: str | None
    label: Bilingual
    yen: int
    owed_yen: int
    deposit_yen: int = 0
    other_id: str | None = None


class AllocationRecord(NamedTuple):
    """Yen added to an entry, or taken off, by a payment, a settlement or a transfer."""

    entry_id: str
    payment_id: str | None
    settlement_id: str | None
    yen: int
    on: date
    transfer_id: str | None = None
    return_id: str | None = None

    def opposite_kind(self, returns: Sequence["ReturnRecord"]) -> ReturnKind | None:
        """Return the kind of the payment's opposite row that it belongs to, or None.

        Rows older than the kept id belong to the opposite row of their day.
        """
        if self.return_id is not None:
            return next(row.kind for row in returns if row.id == self.return_id)
        kinds = {row.kind for row in returns if row.on == self.on}
        if self.yen > 0 or not kinds:
            return None
        is_reversed = ReturnKind.REVERSED in kinds
        return ReturnKind.REVERSED if is_reversed else ReturnKind.RETURNED


class ReturnRecord(NamedTuple):
    """Money of a payment that was returned to its payer, reversed as wrong, or restored."""

    id: str
    payment_id: str
    kind: ReturnKind
    on: date
    yen: int
    reference: str
    reason: str | None

    @property
    def taken_yen(self) -> int:
        """The yen taken off the payment; negative where a return was undone."""
        return -self.yen if self.kind is ReturnKind.RESTORED else self.yen


class PaymentRecord(NamedTuple):
    """A payment as received, and its returns since."""

    id: str
    received_on: date
    amount_yen: int
    method: str
    reference: str | None
    note: str | None
    returns: tuple[ReturnRecord, ...] = ()

    @property
    def returned_yen(self) -> int:
        """What was returned to the payer, without what stayed after all."""
        return sum(
            returned.taken_yen
            for returned in self.returns
            if returned.kind is not ReturnKind.REVERSED
        )

    @property
    def reversed_on(self) -> date | None:
        """The day it was reversed; `None` while it is valid."""
        return next(
            (returned.on for returned in self.returns if returned.kind is ReturnKind.REVERSED),
            None,
        )

    @property
    def left_yen(self) -> int:
        """The part that was neither returned nor reversed."""
        return self.amount_yen - sum(returned.taken_yen for returned in self.returns)


@dataclass(frozen=True, slots=True)
class Statement:
    """One reservation's ledger at the end of a day."""

    reservation_id: str
    on: date
    rows: tuple[LedgerMovement, ...]
    entries: tuple[EntryRecord, ...]
    standings: tuple[EntryBalance, ...]
    payments: tuple[PaymentRecord, ...]
    allocations: tuple[AllocationRecord, ...]
    moves: tuple[DepositMove, ...]
    deposit: DepositBalance

    def movement_of(self, part: AllocationRecord) -> Movement:
        """Return how money was added to an entry, or taken off."""
        return _find_movement(part, {payment.id: payment.returns for payment in self.payments})

    @property
    def owed_yen(self) -> int:
        """Everything billed less everything allocated."""
        return self.rows[-1].owed_yen if self.rows else 0


def statement(session: Session, reservation_id: str, on: date) -> Statement:
    """Return the ledger of a reservation at the end of a day (Ledger entry)."""
    return asked_once(session, _read_statement, reservation_id, on)


def _read_statement(session: Session, reservation_id: str, on: date) -> Statement:
    issued = entries_of(session, reservation_id) if is_id(reservation_id) else ()
    if not issued and not has_row(session, Reservation, reservation_id):
        raise no_such("reservation", reservation_id)
    # The entries with what was posted by a day.
    entries_until = (entry.until(on) for entry in issued if entry.issued_on <= on)
    entries = tuple(entries_until)
    allocations = _read_allocations(session, reservation_id, on)
    moves = deposit_moves(session, [reservation_id], on).get(reservation_id, ())
    standing = standings(session, [reservation_id], on).get(reservation_id, ())
    returns = _read_returns(session, reservation_id, on)
    is_moved = any(move.kind is not DepositMoveKind.SETTLED for move in moves)
    moved = _moved_deposits(session, reservation_id, on) if is_moved else ()
    found = session.execute(
        select(
            Payment.id,
            Payment.received_on,
            Payment.amount_yen,
            Payment.method,
            Payment.reference,
            Payment.note,
        )
        .where(Payment.reservation_id == reservation_id, Payment.received_on <= on)
        .order_by(Payment.received_on, Payment.id)
    )
    payments = tuple(PaymentRecord(*row, returns=returns.get(row[0], ())) for row in found)
    return Statement(
        reservation_id=reservation_id,
        on=on,
        rows=_build_rows(entries, allocations, returns, moved),
        entries=entries,
        standings=standing,
        payments=payments,
        allocations=allocations,
        moves=moves,
        deposit=deposit_balance(standing, moves, on),
    )


_BY_OPPOSITE: Final = {
    ReturnKind.RETURNED: Movement.RETURNED,
    ReturnKind.REVERSED: Movement.REVERSED,
    ReturnKind.RESTORED: Movement.RESTORED,
}
_Returns = Mapping[str, tuple[ReturnRecord, ...]]
"""Returns and reversals by payment."""


def _build_rows(
    entries: Sequence[EntryRecord],
    allocations: Sequence[AllocationRecord],
    returns: _Returns,
    moved: Iterable[LedgerMovement],
) -> tuple[LedgerMovement, ...]:
    labels = {entry.id: entry.label for entry in entries}
    payment_rows: list[LedgerMovement] = []
    for part in allocations:
        movement = _find_movement(part, returns)
        payment_rows.append(
            LedgerMovement(part.on, movement, part.entry_id, labels[part.entry_id], -part.yen, 0)
        )
    # What each entry billed on each day.
    billed_rows: list[LedgerMovement] = []
    for entry in entries:
        by_day: dict[date, int] = {}
        for line in entry.lines:
            by_day[line.posted_on] = by_day.get(line.posted_on, 0) + line.amount_yen
        for on, yen in by_day.items():
            billed_rows.append(LedgerMovement(on, Movement.BILLED, entry.id, entry.label, yen, 0))
    found = [*billed_rows, *payment_rows, *moved]
    owed_yen, rows = 0, list[LedgerMovement]()
    for row in sorted(found, key=lambda row: row.on):
        owed_yen += row.yen
        rows.append(row._replace(owed_yen=owed_yen))
    return tuple(rows)


_BY_MOVE: Final = {
    DepositMoveKind.OUT: Movement.DEPOSIT_OUT,
    DepositMoveKind.IN: Movement.DEPOSIT_IN,
}


def _moved_deposits(session: Session, reservation_id: str, on: date) -> Iterator[LedgerMovement]:
    """Return a row of each paper transfer of the deposit, named by the other reservation's unit.

    The rows of both sides sum to 0 (specification, Deposit 4).
    """
    own, other = DepositMoveRow, aliased(DepositMoveRow)
    asked = (
        select(
            own.moved_on,
            own.kind,
            own.amount_yen,
            Reservation.id,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(
            other,
            and_(
                other.workspace_id == own.workspace_id,
                other.transfer_id == own.transfer_id,
                other.kind != own.kind,
            ),
        )
        .join(Reservation, refers_to(other.reservation_id, Reservation))
        .join(Reservation.unit)
        .join(Unit.building)
        .where(own.reservation_id == reservation_id, own.moved_on <= on)
        .order_by(own.moved_on, own.id)
    )
    for moved_on, kind, yen, other_id, unit, ja, en in session.execute(asked):
        movement = _BY_MOVE[DepositMoveKind(kind)]
        signed_yen = -yen if movement is Movement.DEPOSIT_OUT else yen
        place = Bilingual(f"{ja} {unit}", f"{en or ja} {unit}")
        yield LedgerMovement(moved_on, movement, None, place, 0, 0, signed_yen, other_id)


def _find_movement(part: AllocationRecord, returns: _Returns) -> Movement:
    if part.transfer_id is not None:
        return Movement.MOVED
    if part.payment_id is None:
        return Movement.NETTED
    kind = part.opposite_kind(returns.get(part.payment_id, ()))
    return Movement.PAID if kind is None else _BY_OPPOSITE[kind]


def _read_allocations(
    session: Session, reservation_id: str, on: date
) -> tuple[AllocationRecord, ...]:
    found = session.execute(
        select(
            Allocation.entry_id,
            Allocation.payment_id,
            Allocation.settlement_id,
            Allocation.amount_yen,
            Allocation.allocated_on,
            Allocation.transfer_id,
            Allocation.return_id,
        )
        .join(LedgerEntry, refers_to(Allocation.entry_id, LedgerEntry))
        .where(
            LedgerEntry.reservation_id == reservation_id,
            LedgerEntry.issued_on <= on,
            Allocation.allocated_on <= on,
        )
        .order_by(Allocation.allocated_on, LedgerEntry.due_on, Allocation.id)
    )
    return tuple(AllocationRecord._make(row) for row in found)


def _read_returns(session: Session, reservation_id: str, on: date) -> _Returns:
    found = session.execute(
        select(
            PaymentReturn.id,
            PaymentReturn.payment_id,
            PaymentReturn.kind,
            PaymentReturn.returned_on,
            PaymentReturn.amount_yen,
            PaymentReturn.reference,
            PaymentReturn.note,
        )
        .where(PaymentReturn.reservation_id == reservation_id, PaymentReturn.returned_on <= on)
        .order_by(PaymentReturn.written_at, PaymentReturn.id)
    )
    returns: dict[str, tuple[ReturnRecord, ...]] = {}
    for row in found:
        record = ReturnRecord._make(row)
        returns[record.payment_id] = (*returns.get(record.payment_id, ()), record)
    return returns
