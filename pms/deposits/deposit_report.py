"""Reports every held deposit on a day, and counts whose are left out and why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.deposits.reported_records import (
    DepositRecord,
    deposit_records,
    ledgers,
    move_in_entry_ids,
    rent_roll_rows,
)
from pms.rules.deposit import DepositBalance, deposit_balance
from pms.rules.deposit_reporting import ReportedReservation, exclusion_of
from pms.rules.enumerations import DepositExclusion, Lifecycle
from pms.rules.ledger_entries import Standing


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


def deposit_report(session: Session, on: date) -> DepositReport:
    """Return the deposits of the workspace on a day (specification, Deposit 3).

    Rows of a rent roll are external blocks, never reservations: they are counted apart.
    """
    records = deposit_records(session, on)
    found, moves = ledgers(session, [record.id for record in records], on)
    invoice_ids = move_in_entry_ids(session)
    excluded = Counter({DepositExclusion.RENT_ROLL: rent_roll_rows(session)})
    deposits: list[ReportedDeposit] = []
    for record in records:
        entries = found.get(record.id, ())
        reason = exclusion_of(_reported(record, entries, invoice_ids))
        if reason is None:
            balance = deposit_balance(entries, moves.get(record.id, ()), on)
            deposits.append(_deposit(record, balance))
        else:
            excluded[reason] += 1
    counted = {reason: excluded[reason] for reason in DepositExclusion}
    return DepositReport(on, tuple(deposits), counted)


def _deposit(record: DepositRecord, balance: DepositBalance) -> ReportedDeposit:
    return ReportedDeposit(record.id, record.unit_id, record.name, record.lifecycle, balance)


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
