"""The report of deposits held on a day."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import false, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import ExternalBlock
from pms.foundation.errors import no_such
from pms.foundation.prepared import one_of
from pms.foundation.versions import LEDGER, OCCUPANCY, KeptAnswers
from pms.foundation.work import has_row
from pms.ledger.debts import parted_entries
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import deposit_balances, deposit_moves, standings
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY, day_start
from pms.rules.deposit import (
    DepositBalance,
    ReportedReservation,
    deposit_balance,
    exclusion_of,
)
from pms.rules.enumerations import (
    BlockSource,
    DepositExclusion,
    EntryKind,
    Lifecycle,
    ReservationKind,
)
from pms.rules.ledger_entries import EntryBalance
from pms.workspaces.queries import counters


class DepositRecord(NamedTuple):
    """A reservation that existed on the day, and whether somebody had moved in."""

    id: str
    unit_id: str
    kind: ReservationKind
    lifecycle: Lifecycle
    has_moved_in: bool


def deposit_records(
    session: Session, on: date, reservation_id: str | None = None
) -> list[DepositRecord]:
    """Return the reservations begun or booked by a day, or only the one named."""
    has_begun = Reservation.starts_on <= on
    was_moved_in = Reservation.lifecycle.not_in((Lifecycle.BOOKED, Lifecycle.CONFIRMED))
    # An imported tenancy began before its record was created.
    was_there = has_begun | (Reservation.created_at < day_start(on + ONE_DAY))
    asked = select(
        Reservation.id,
        Reservation.unit_id,
        Reservation.kind,
        Reservation.lifecycle,
        func.coalesce(has_begun, false()) & was_moved_in & Reservation.cancelled_at.is_(None),
    ).where(was_there)
    if reservation_id is not None:
        asked = asked.where(Reservation.id == reservation_id)
    return [DepositRecord(*row) for row in session.execute(asked.order_by(Reservation.id))]


def move_in_invoices(session: Session, entry_ids: Iterable[str]) -> frozenset[str]:
    """Return which of these entries are move-in invoices."""
    asked = select(LedgerEntry.id).where(
        LedgerEntry.kind == EntryKind.MOVE_IN, one_of(LedgerEntry.id, entry_ids)
    )
    return frozenset(session.scalars(asked))


def rent_roll_rows(session: Session) -> int:
    """Return the number of rows imported from a rent roll: external blocks, no reservations."""
    is_rent_roll = ExternalBlock.source == BlockSource.RENT_ROLL
    return session.scalar(select(func.count()).select_from(ExternalBlock).where(is_rent_roll)) or 0


_HELD: Final = KeptAnswers(most=4)


class ReportedDeposit(NamedTuple):
    """One reservation of the report with the parts of its balance."""

    reservation_id: str
    unit_id: str
    lifecycle: Lifecycle
    balance: DepositBalance


@dataclass(frozen=True, slots=True)
class DepositReport:
    """Deposits on a day, and the number of records left out by reason."""

    on: date
    deposits: tuple[ReportedDeposit, ...]
    excluded: Mapping[DepositExclusion, int]

    @property
    def total(self) -> DepositBalance:
        """The sums of the parts of all balances, in whole yen."""
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
    invoice_ids = move_in_invoices(session, _list_entry_ids(found.values()))
    excluded = Counter({DepositExclusion.RENT_ROLL: rent_roll_rows(session)})
    deposits: list[ReportedDeposit] = []
    for record in records:
        entries = found.get(record.id, ())
        reason = exclusion_of(_report_reservation(record, entries, invoice_ids))
        if reason is None:
            balance = deposit_balance(entries, moves.get(record.id, ()), on)
            deposits.append(
                _build_deposit(record, _add_collected_yen(balance, collected_yen.get(record.id, 0)))
            )
        else:
            excluded[reason] += 1
    counted = {reason: excluded[reason] for reason in DepositExclusion}
    return DepositReport(on, tuple(deposits), counted)


def held_deposits(session: Session, on: date) -> DepositReport:
    """Return the report without deposits whose figures are all 0, such as closed ones.

    The result of a day is cached until the ledger or a reservation changes.
    """
    state = counters(session, LEDGER, OCCUPANCY)
    return _HELD.answer(session, on, state, lambda: _without_closed(deposit_report(session, on)))


def _without_closed(report: DepositReport) -> DepositReport:
    held = tuple(
        deposit
        for deposit in report.deposits
        if deposit.balance.held_yen or deposit.balance.unpaid_yen or deposit.balance.overpaid_yen
    )
    return replace(report, deposits=held)


def exclusion_on(session: Session, reservation_id: str, on: date) -> DepositExclusion | None:
    """Return why a day's report leaves one reservation out; `None` if it does not (Deposit 3)."""
    for record in deposit_records(session, on, reservation_id):
        entries = standings(session, [record.id], on).get(record.id, ())
        invoice_ids = move_in_invoices(session, _list_entry_ids([entries]))
        return exclusion_of(_report_reservation(record, entries, invoice_ids))
    return None


def _list_entry_ids(standings: Iterable[Sequence[EntryBalance]]) -> list[str]:
    return [entry.id for entries in standings for entry in entries]


def _add_collected_yen(balance: DepositBalance, collected_yen: int) -> DepositBalance:
    """Add the deposits held by entries that are paid to the yen."""
    held_yen = balance.held_yen + collected_yen
    return DepositBalance(held_yen, balance.unpaid_yen, balance.overpaid_yen)


def _build_deposit(record: DepositRecord, balance: DepositBalance) -> ReportedDeposit:
    return ReportedDeposit(record.id, record.unit_id, record.lifecycle, balance)


def _report_reservation(
    record: DepositRecord, entries: Sequence[EntryBalance], invoice_ids: frozenset[str]
) -> ReportedReservation:
    return ReportedReservation(
        kind=record.kind,
        has_moved_in=record.has_moved_in,
        is_move_in_invoice_paid=not any(
            entry.open_yen for entry in entries if entry.id in invoice_ids
        ),
    )


def balance_on(session: Session, reservation_id: str, on: date) -> DepositBalance:
    """Return the balance of one reservation on a day (specification, Deposit 2)."""
    if not has_row(session, Reservation, reservation_id):
        raise no_such("reservation", reservation_id)
    return balances_on(session, (reservation_id,), on)[reservation_id]


def balances_on(
    session: Session, reservation_ids: Sequence[str], on: date
) -> Mapping[str, DepositBalance]:
    """Return the balances of reservations on a day, with the same few queries for any number."""
    return deposit_balances(session, reservation_ids, on)
