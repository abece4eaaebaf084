"""Reports every held deposit on a day, and counts whose are left out and why."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.deposits.reported_records import (
    DepositRecord,
    deposit_records,
    move_in_invoices,
    rent_roll_rows,
)
from pms.foundation.kept_answers import KeptAnswers
from pms.foundation.versions import LEDGER, OCCUPANCY
from pms.ledger.queries import deposit_moves, standings
from pms.ledger.settled_entries import parted_entries
from pms.rules.deposit import DepositBalance, deposit_balance
from pms.rules.deposit_reporting import ReportedReservation, exclusion_of
from pms.rules.enumerations import DepositExclusion, Lifecycle
from pms.rules.ledger_entries import Standing
from pms.workspaces.queries import counters

_HELD: Final = KeptAnswers(most=4)


class ReportedDeposit(NamedTuple):
    """One reservation of the report with the parts of its balance."""

    reservation_id: str
    unit_id: str
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


def deposit_report(session: Session, on: date) -> DepositReport:
    """Return the deposits of the workspace on a day (specification, Deposit 3).

    Rows of a rent roll are external blocks, never reservations: they are counted apart.
    """
    records = deposit_records(session, on)
    collected_yen, found = parted_entries(session, on)
    moves = deposit_moves(session, None, on)
    invoice_ids = move_in_invoices(session, _ids(found.values()))
    excluded = Counter({DepositExclusion.RENT_ROLL: rent_roll_rows(session)})
    deposits: list[ReportedDeposit] = []
    for record in records:
        entries = found.get(record.id, ())
        reason = exclusion_of(_reported(record, entries, invoice_ids))
        if reason is None:
            balance = deposit_balance(entries, moves.get(record.id, ()), on)
            deposits.append(_deposit(record, _with(balance, collected_yen.get(record.id, 0))))
        else:
            excluded[reason] += 1
    counted = {reason: excluded[reason] for reason in DepositExclusion}
    return DepositReport(on, tuple(deposits), counted)


def held_deposits(session: Session, on: date) -> DepositReport:
    """Return the report without the deposits that have no figure at all; a closed one says nothing.

    While neither the ledger nor a reservation changes, the same day is told again without asking.
    """
    state = counters(session, LEDGER, OCCUPANCY)
    return _HELD.answer(session, on, state, lambda: _without_closed(deposit_report(session, on)))


def _without_closed(report: DepositReport) -> DepositReport:
    held = tuple(
        one
        for one in report.deposits
        if one.balance.held_yen or one.balance.unpaid_yen or one.balance.overpaid_yen
    )
    return replace(report, deposits=held)


def exclusion_on(session: Session, reservation_id: str, on: date) -> DepositExclusion | None:
    """Return why a day's report leaves one reservation out, or None (specification, Deposit 3)."""
    for record in deposit_records(session, on, reservation_id):
        entries = standings(session, [record.id], on).get(record.id, ())
        invoice_ids = move_in_invoices(session, _ids([entries]))
        return exclusion_of(_reported(record, entries, invoice_ids))
    return None


def _ids(standings: Iterable[Sequence[Standing]]) -> list[str]:
    return [entry.id for entries in standings for entry in entries]


def _with(balance: DepositBalance, collected_yen: int) -> DepositBalance:
    """Add what the entries that are paid to the yen hold."""
    held_yen = balance.held_yen + collected_yen
    return DepositBalance(held_yen, balance.unpaid_yen, balance.overpaid_yen)


def _deposit(record: DepositRecord, balance: DepositBalance) -> ReportedDeposit:
    return ReportedDeposit(record.id, record.unit_id, record.lifecycle, balance)


def _reported(
    record: DepositRecord, entries: Sequence[Standing], invoice_ids: frozenset[str]
) -> ReportedReservation:
    return ReportedReservation(
        kind=record.kind,
        has_moved_in=record.has_moved_in,
        is_move_in_invoice_paid=not any(
            entry.open_yen for entry in entries if entry.id in invoice_ids
        ),
    )
