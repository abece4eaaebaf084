"""Reports every held deposit on a day, and counts whose are left out and why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import ExternalBlock
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import deposit_moves, standings
from pms.reservations.models import Reservation
from pms.rules.deposit import DepositBalance, DepositMove, deposit_balance
from pms.rules.deposit_reporting import ReportedReservation, exclusion_of
from pms.rules.enumerations import (
    BlockSource,
    DepositExclusion,
    EntryKind,
    Lifecycle,
    ReservationKind,
)
from pms.rules.ledger_entries import Standing

_ASKED_AT_ONCE: Final = 20_000


class ReportedDeposit(NamedTuple):
    """One reservation of the report with the parts of its balance."""

    reservation_id: str
    unit_id: str
    name: str
    lifecycle: Lifecycle
    balance: DepositBalance


@dataclass(frozen=True, slots=True)
class DepositReport:
    """Deposits on a day, and how many records each reason leaves out."""

    on: date
    deposits: tuple[ReportedDeposit, ...]
    excluded: Mapping[DepositExclusion, int]

    @property
    def total(self) -> DepositBalance:
        """The parts of all balances added up, in whole yen."""
        balances = [deposit.balance for deposit in self.deposits]
        return DepositBalance(
            sum(balance.held_yen for balance in balances),
            sum(balance.unpaid_yen for balance in balances),
            sum(balance.overpaid_yen for balance in balances),
        )


class _Ledgers(NamedTuple):
    standings: Mapping[str, tuple[Standing, ...]]
    moves: Mapping[str, tuple[DepositMove, ...]]


class _Record(NamedTuple):
    id: str
    unit_id: str
    name: str
    kind: ReservationKind
    lifecycle: Lifecycle
    has_moved_in: bool


def deposit_report(session: Session, on: date) -> DepositReport:
    """Return the deposits of the workspace on a day (specification, Deposit 3).

    The questions asked of the database are as many for one reservation as for twenty thousand.
    """
    records = _records(session, on)
    found, moves = _ledgers(session, [record.id for record in records], on)
    move_in_ids = _move_in_entry_ids(session)
    excluded: Counter[DepositExclusion] = Counter(
        {DepositExclusion.RENT_ROLL: _rent_roll_rows(session)}
    )
    deposits: list[ReportedDeposit] = []
    for record in records:
        entries = found.get(record.id, ())
        reason = exclusion_of(_reported(record, entries, move_in_ids))
        if reason is not None:
            excluded[reason] += 1
            continue
        balance = deposit_balance(entries, moves.get(record.id, ()), on)
        deposits.append(
            ReportedDeposit(record.id, record.unit_id, record.name, record.lifecycle, balance)
        )
    return DepositReport(
        on, tuple(deposits), {reason: excluded[reason] for reason in DepositExclusion}
    )


def _records(session: Session, on: date) -> list[_Record]:
    columns = (
        Reservation.id,
        Reservation.unit_id,
        Reservation.name,
        Reservation.kind,
        Reservation.lifecycle,
        Reservation.starts_on,
        Reservation.cancelled_at,
    )
    return [
        _Record(id_, unit_id, name, ReservationKind(kind), Lifecycle(lifecycle), has_moved_in)
        for id_, unit_id, name, kind, lifecycle, starts_on, cancelled_at in session.execute(
            select(*columns).order_by(Reservation.id)
        )
        for has_moved_in in [starts_on is not None and starts_on <= on and cancelled_at is None]
    ]


def _ledgers(session: Session, ids: Sequence[str], on: date) -> _Ledgers:
    """Ask in parts that stay below what a database takes as the values of one question."""
    found: dict[str, tuple[Standing, ...]] = {}
    moves: dict[str, tuple[DepositMove, ...]] = {}
    for first in range(0, len(ids), _ASKED_AT_ONCE):
        part = ids[first : first + _ASKED_AT_ONCE]
        found.update(standings(session, part, on))
        moves.update(deposit_moves(session, part, on))
    return _Ledgers(found, moves)


def _reported(
    record: _Record, entries: Sequence[Standing], move_in_ids: frozenset[str]
) -> ReportedReservation:
    """Rows of a rent roll are external blocks, never reservations: they are counted apart."""
    return ReportedReservation(
        kind=record.kind,
        has_moved_in=record.has_moved_in,
        is_move_in_invoice_paid=not any(
            entry.open_yen for entry in entries if entry.id in move_in_ids
        ),
    )


def _move_in_entry_ids(session: Session) -> frozenset[str]:
    is_invoice = LedgerEntry.kind == EntryKind.MOVE_IN
    return frozenset(session.scalars(select(LedgerEntry.id).where(is_invoice)))


def _rent_roll_rows(session: Session) -> int:
    is_rent_roll = ExternalBlock.source == BlockSource.RENT_ROLL
    return session.scalar(select(func.count()).select_from(ExternalBlock).where(is_rent_roll)) or 0
