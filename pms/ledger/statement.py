"""The ledger of a tenancy as it is read."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import Session, aliased

from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.kept_answers import KeptAnswers
from pms.foundation.phrases import Bilingual
from pms.foundation.versions import LEDGER
from pms.ledger.charge_plans import histories_of_entries
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine, Payment, PaymentReturn
from pms.ledger.queries import EntryRecord, deposit_moves, entries_of, standings
from pms.reservations.models import Reservation
from pms.rules.deposit import DepositBalance, DepositMove, deposit_balance
from pms.rules.enumerations import EntryKind, ReturnKind
from pms.rules.ledger_entries import Standing, standings_on
from pms.workspaces.queries import counters


class EntryState(StrEnum):
    """How one bill stands."""

    VOIDED = "voided"
    CREDIT = "credit"
    SET_OFF = "set_off"
    OVERPAID = "overpaid"
    PAID = "paid"
    NOTHING_TO_PAY = "nothing_to_pay"
    OVERDUE = "overdue"
    PARTLY_PAID = "partly_paid"
    OPEN = "open"


def entry_state(standing: Standing, on: date) -> EntryState:
    """Return the state of an entry on a day; the deposit line counts as something to pay."""
    if standing.is_voided:
        return EntryState.VOIDED
    if standing.is_credit:
        return EntryState.CREDIT if standing.overpaid_yen else EntryState.SET_OFF
    if standing.overpaid_yen:
        return EntryState.OVERPAID
    if not standing.open_yen:
        return EntryState.PAID if standing.paid_yen else EntryState.NOTHING_TO_PAY
    if standing.due_on < on:
        return EntryState.OVERDUE
    return EntryState.PARTLY_PAID if standing.paid_yen else EntryState.OPEN


# Nearly all entries are paid to the yen; such an entry holds its deposit and owes nothing. The
# database finds the others in one pass (docs/decisions/ledger.md); each of them goes through
# `pms.rules.ledger_entries`, so that the law is written down once.
_Other = aliased(LedgerEntry)


class PartedEntries(NamedTuple):
    """The entries of a day by reservation.

    `collected_yen` is the deposit held by those paid to the yen; `standings` are all the others.
    """

    collected_yen: Mapping[str, int]
    standings: Mapping[str, tuple[Standing, ...]]


_PARTED: Final = KeptAnswers()


def parted_entries(session: Session, on: date) -> PartedEntries:
    """Return the entries of a workspace at the end of a day, in six questions (Deposit 1, 2).

    While the ledger is not written to, the same day is told again without asking.
    """
    state = counters(session, LEDGER)
    return _PARTED.answer(session, on, state, lambda: _parted(session, on))


def _parted(session: Session, on: date) -> PartedEntries:
    deposits = session.execute(_deposits(on)).all()
    # A deposit of less than nothing is a debt, which only the rule can tell.
    below_nothing = [entry_id for entry_id, _, yen in deposits if yen < 0]
    unsettled = {*session.scalars(_unsettled(on)), *below_nothing}
    collected: defaultdict[str, int] = defaultdict(int)
    for entry_id, reservation_id, yen in deposits:
        if entry_id not in unsettled:
            collected[reservation_id] += int(yen)
    return PartedEntries(collected, _standings(session, unsettled, on))


def _standings(
    session: Session, entry_ids: Iterable[str], on: date
) -> Mapping[str, tuple[Standing, ...]]:
    found = histories_of_entries(session, entry_ids)
    return {id_: standings_on(entries, on) for id_, entries in found.items()}


def _deposits(on: date) -> Select[str, str, int]:
    """The deposit that each entry bills by the day."""
    # Added up first: lines are walked in the order of their entries, and each entry is met once.
    billed = (
        select(LedgerLine.entry_id, func.sum(LedgerLine.amount_yen).label("yen"))
        .where(LedgerLine.is_deposit.is_(True), LedgerLine.posted_on <= on)
        .group_by(LedgerLine.workspace_id, LedgerLine.entry_id)
        .subquery()
    )
    return (
        select(LedgerEntry.id, LedgerEntry.reservation_id, billed.c.yen)
        .join(billed, billed.c.entry_id == LedgerEntry.id)
        .where(LedgerEntry.kind != EntryKind.OPPOSITE, LedgerEntry.issued_on <= on)
    )


def _unsettled(on: date) -> Select[str]:
    """Entries not paid to the yen, voided ones, and arrears charges with the entries they name."""
    return select(LedgerEntry.id).where(
        # Written so that no index is chosen by the day: nearly all entries are older, and only in
        # the order of their ids do the lines and allocations lie beside each other.
        func.coalesce(LedgerEntry.issued_on, on) <= on,
        or_(
            _billed_yen(on).is_distinct_from(_paid_yen(on)),
            LedgerEntry.id.in_(_named(_Other.opposes_id)),
            LedgerEntry.id.in_(_named(_Other.arrears_of_id)),
            LedgerEntry.id.in_(select(_Other.id).where(_Other.arrears_of_id.is_not(None))),
        ),
    )


def _named(column: Any) -> Select[*tuple[Any, ...]]:
    return select(column).where(column.is_not(None))


def _billed_yen(on: date) -> Any:
    return (
        select(func.coalesce(func.sum(LedgerLine.amount_yen), 0))
        .where(
            LedgerLine.workspace_id == LedgerEntry.workspace_id,
            LedgerLine.entry_id == LedgerEntry.id,
            LedgerLine.posted_on <= on,
        )
        .correlate(LedgerEntry)
        .scalar_subquery()
    )


def _paid_yen(on: date) -> Any:
    return (
        select(func.coalesce(func.sum(Allocation.amount_yen), 0))
        .where(
            Allocation.workspace_id == LedgerEntry.workspace_id,
            Allocation.entry_id == LedgerEntry.id,
            Allocation.allocated_on <= on,
        )
        .correlate(LedgerEntry)
        .scalar_subquery()
    )


class Movement(StrEnum):
    """What a row of a statement tells."""

    BILLED = "billed"
    PAID = "paid"
    RETURNED = "returned"
    REVERSED = "reversed"
    NETTED = "netted"
    MOVED = "moved"


class StatementRow(NamedTuple):
    """One movement and what is owed after it, in whole yen; what was overpaid is negative."""

    on: date
    movement: Movement
    entry_id: str
    label: Bilingual
    yen: int
    owed_yen: int


class AllocationRecord(NamedTuple):
    """Yen that reached an entry, or left it, of a payment, at a settlement or by a transfer."""

    entry_id: str
    payment_id: str | None
    settlement_id: str | None
    yen: int
    on: date
    transfer_id: str | None = None


class ReturnRecord(NamedTuple):
    """Money of a payment that was taken back: sent to who paid it, or reversed as wrong."""

    id: str
    payment_id: str
    kind: ReturnKind
    on: date
    yen: int
    reference: str
    reason: str | None


class PaymentRecord(NamedTuple):
    """A payment as it arrived, and what of it was taken back since."""

    id: str
    received_on: date
    amount_yen: int
    method: str
    reference: str | None
    note: str | None
    returns: tuple[ReturnRecord, ...] = ()

    @property
    def returned_yen(self) -> int:
        """What was sent back to who paid it."""
        return sum(one.yen for one in self.returns if one.kind is ReturnKind.RETURNED)

    @property
    def reversed_on(self) -> date | None:
        """The day it was reversed, None while it stands."""
        return next((one.on for one in self.returns if one.kind is ReturnKind.REVERSED), None)

    @property
    def left_yen(self) -> int:
        """What of it was not taken back."""
        return self.amount_yen - sum(one.yen for one in self.returns)


@dataclass(frozen=True, slots=True)
class Statement:
    """One reservation's ledger at the end of a day."""

    reservation_id: str
    on: date
    rows: tuple[StatementRow, ...]
    entries: tuple[EntryRecord, ...]
    standings: tuple[Standing, ...]
    payments: tuple[PaymentRecord, ...]
    allocations: tuple[AllocationRecord, ...]
    moves: tuple[DepositMove, ...]
    deposit: DepositBalance

    @property
    def owed_yen(self) -> int:
        """All that was billed less all that reached entries."""
        return self.rows[-1].owed_yen if self.rows else 0


def statement(session: Session, reservation_id: str, on: date) -> Statement:
    """Return the ledger of a reservation as it stood at the end of a day (Ledger entry)."""
    _refuse_unknown(session, reservation_id)
    entries = tuple(_until(entries_of(session, reservation_id), on))
    allocations = _allocations(session, reservation_id, on)
    moves = deposit_moves(session, [reservation_id], on).get(reservation_id, ())
    standing = standings(session, [reservation_id], on).get(reservation_id, ())
    returns = _returns(session, reservation_id, on)
    return Statement(
        reservation_id=reservation_id,
        on=on,
        rows=_rows(entries, allocations, returns),
        entries=entries,
        standings=standing,
        payments=_payments(session, reservation_id, on, returns),
        allocations=allocations,
        moves=moves,
        deposit=deposit_balance(standing, moves, on),
    )


def _refuse_unknown(session: Session, reservation_id: str) -> None:
    question = select(Reservation.id).where(Reservation.id == reservation_id)
    if not is_id(reservation_id) or session.scalar(question) is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )


def _until(entries: Iterable[EntryRecord], on: date) -> Iterator[EntryRecord]:
    """The entries as far as they were written by a day."""
    for entry in entries:
        if entry.issued_on <= on:
            yield entry.until(on)


_Returns = Mapping[str, tuple[ReturnRecord, ...]]
"""What was taken back, by payment."""


def _rows(
    entries: Sequence[EntryRecord], allocations: Sequence[AllocationRecord], returns: _Returns
) -> tuple[StatementRow, ...]:
    labels = {entry.id: entry.label for entry in entries}
    told = [*_billed(entries), *_reached(allocations, labels, returns)]
    owed_yen, rows = 0, list[StatementRow]()
    for row in sorted(told, key=lambda row: row.on):
        owed_yen += row.yen
        rows.append(row._replace(owed_yen=owed_yen))
    return tuple(rows)


def _billed(entries: Iterable[EntryRecord]) -> Iterator[StatementRow]:
    """What each entry was billed on each day."""
    for entry in entries:
        by_day: dict[date, int] = {}
        for line in entry.lines:
            by_day[line.posted_on] = by_day.get(line.posted_on, 0) + line.amount_yen
        for on, yen in by_day.items():
            yield StatementRow(on, Movement.BILLED, entry.id, entry.label, yen, 0)


def _reached(
    allocations: Iterable[AllocationRecord], labels: dict[str, Bilingual], returns: _Returns
) -> Iterator[StatementRow]:
    for part in allocations:
        movement = _movement(part, returns)
        yield StatementRow(part.on, movement, part.entry_id, labels[part.entry_id], -part.yen, 0)


def _movement(part: AllocationRecord, returns: _Returns) -> Movement:
    if part.transfer_id is not None:
        return Movement.MOVED
    if part.payment_id is None:
        return Movement.NETTED
    kinds = {one.kind for one in returns.get(part.payment_id, ()) if one.on == part.on}
    if part.yen > 0 or not kinds:
        return Movement.PAID
    return Movement.REVERSED if ReturnKind.REVERSED in kinds else Movement.RETURNED


def _allocations(session: Session, reservation_id: str, on: date) -> tuple[AllocationRecord, ...]:
    found = session.execute(
        select(
            Allocation.entry_id,
            Allocation.payment_id,
            Allocation.settlement_id,
            Allocation.amount_yen,
            Allocation.allocated_on,
            Allocation.transfer_id,
        )
        .join(
            LedgerEntry,
            (LedgerEntry.workspace_id == Allocation.workspace_id)
            & (LedgerEntry.id == Allocation.entry_id),
        )
        .where(
            LedgerEntry.reservation_id == reservation_id,
            LedgerEntry.issued_on <= on,
            Allocation.allocated_on <= on,
        )
        .order_by(Allocation.allocated_on, LedgerEntry.due_on, Allocation.id)
    )
    return tuple(AllocationRecord._make(row) for row in found)


def _payments(
    session: Session, reservation_id: str, on: date, returns: _Returns
) -> tuple[PaymentRecord, ...]:
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
    return tuple(PaymentRecord(*row, returns=returns.get(row[0], ())) for row in found)


def _returns(session: Session, reservation_id: str, on: date) -> _Returns:
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
        one = ReturnRecord._make(row)
        returns[one.payment_id] = (*returns.get(one.payment_id, ()), one)
    return returns
