"""Direct debit requests: their plan for a day, the file, and handing it over."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pms.bank.mandates import MandateLine, account_columns, account_of, mandates_in_force
from pms.bank.models import Debit, DebitBill, DebitFile, DebitMandate
from pms.bank.orders import (
    bank_account,
    client_of,
    known_file,
    lock_file,
    note_step,
    office_to_order,
    stored_office,
)
from pms.bank.statement_files import refused_records
from pms.foundation.clock import bank_closure, next_bank_day
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.ledger.debts import unsettled_standings
from pms.ledger.models import LedgerEntry
from pms.reservations.locks import lock_reservations
from pms.rules import bank_orders
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_records import BankFileFault
from pms.rules.days import BankClosure, month_last
from pms.rules.enumerations import BankOrderState, DebitOutcome
from pms.workspaces.office_bank import MOST_ATTEMPTS

_WORTH_TRYING: Final = {DebitOutcome.NO_FUNDS, DebitOutcome.STOPPED_BY_US}


class DebitBar(StrEnum):
    """Why a bill of a tenancy with a mandate is not collected."""

    AWAITED = "awaited"
    FAILED_TOO_OFTEN = "failed_too_often"


class CollectedBill(NamedTuple):
    """A bill that a file would collect, or the reason why it does not."""

    entry_id: str
    label: Bilingual
    due_on: date
    yen: int
    attempt: int
    bar: DebitBar | None


class PlannedDebit(NamedTuple):
    """What a file would collect from one account."""

    line: MandateLine
    bills: tuple[CollectedBill, ...]

    @property
    def chosen(self) -> tuple[CollectedBill, ...]:
        """The bills that are collected."""
        return tuple(bill for bill in self.bills if bill.bar is None)

    @property
    def yen(self) -> int:
        """The amount of the record, in yen."""
        return sum(bill.yen for bill in self.chosen)


class DebitPlan(NamedTuple):
    """The request of a day before it is made."""

    collect_on: date
    debits: tuple[PlannedDebit, ...]
    left_out: tuple[PlannedDebit, ...]

    @property
    def total_yen(self) -> int:
        """The total that the bank is asked to collect, in yen."""
        return sum(debit.yen for debit in self.debits)

    @property
    def closure(self) -> BankClosure | None:
        """Why banks are closed on the day, or None on a business day."""
        return bank_closure(self.collect_on)

    @property
    def collected_on(self) -> date:
        """The business day on which the bank collects."""
        return next_bank_day(self.collect_on)


def plan_debits(session: Session, today: date, collect_on: date) -> DebitPlan:
    """Return what a file would collect: the open bills due by the end of its month.

    Bills that another file awaits are left out, and those that failed as often as the office
    allows. A day that is not after `today` is refused.
    """
    if collect_on <= today:
        raise Refused("collectOn: {day} is not after today ({today}).", day=collect_on, today=today)
    mandates = mandates_in_force(session, collect_on)
    bills = _collected_bills(session, today, mandates, month_last(collect_on))
    planned = [PlannedDebit(line, bills.get(id_, ())) for id_, line in mandates.items()]
    return DebitPlan(
        collect_on,
        tuple(debit for debit in planned if debit.yen),
        tuple(debit for debit in planned if any(bill.bar for bill in debit.bills)),
    )


def _collected_bills(
    session: Session, today: date, reservation_ids: Collection[str], until: date
) -> Mapping[str, tuple[CollectedBill, ...]]:
    """Return the open bills of residents due by a day, in order, each with what bars it."""
    # Read once of all: most bills of a resident are paid to the yen.
    unsettled = unsettled_standings(session, today)
    open_bills = {
        reservation_id: sorted(
            (
                bill
                for bill in unsettled.get(reservation_id, ())
                if bill.open_yen > 0 and not bill.is_voided and bill.due_on <= until
            ),
            key=lambda bill: (bill.due_on, bill.id),
        )
        for reservation_id in reservation_ids
    }
    entry_ids = [bill.id for found in open_bills.values() for bill in found]
    labels = {
        id_: Bilingual(ja, en)
        for id_, ja, en in session.execute(
            select(LedgerEntry.id, LedgerEntry.label_ja, LedgerEntry.label_en).where(
                one_of(LedgerEntry.id, entry_ids)
            )
        )
    }
    awaited, failed = _read_debit_history(session, entry_ids)
    attempts = office_to_order(session).debit_attempts
    return {
        reservation_id: tuple(
            CollectedBill(
                bill.id,
                labels[bill.id],
                bill.due_on,
                bill.open_yen,
                failed[bill.id] + 1,
                _find_bar(bill.id, awaited, failed[bill.id], attempts),
            )
            for bill in found
        )
        for reservation_id, found in open_bills.items()
    }


def _find_bar(
    entry_id: str, awaited: Collection[str], failed: int, attempts: int
) -> DebitBar | None:
    if entry_id in awaited:
        return DebitBar.AWAITED
    return DebitBar.FAILED_TOO_OFTEN if failed >= attempts else None


def _read_debit_history(
    session: Session, entry_ids: Sequence[str]
) -> tuple[set[str], Counter[str]]:
    """Return the bills that another file awaits, and how often each bill failed.

    A failure for another reason than missing funds would repeat, so it counts as the last allowed
    try until the mandate has another account.
    """
    rows = session.execute(
        select(DebitBill.entry_id, DebitBill.is_awaited, Debit, DebitMandate)
        .join(Debit, refers_to(DebitBill.debit_id, Debit))
        .join(DebitMandate, refers_to(Debit.mandate_id, DebitMandate))
        .where(one_of(DebitBill.entry_id, entry_ids))
    ).all()
    awaited = {entry_id for entry_id, is_awaited, _, _ in rows if is_awaited}
    failed: Counter[str] = Counter()
    for entry_id, _, debit, mandate in rows:
        if debit.outcome in _WORTH_TRYING:
            failed[entry_id] += 1
        elif debit.outcome not in {None, DebitOutcome.COLLECTED}:
            is_same = account_of(debit) == account_of(mandate)
            failed[entry_id] += MOST_ATTEMPTS if is_same else 0
    return awaited, failed


def make_debit_file(work: Work, *, collect_on: date, expected_yen: int | None = None) -> str:
    """Make the request of a day and return its id; refuse it if the plan has changed.

    `expected_yen` is the total that was shown.
    """
    facts = office_to_order(work.session)
    if facts.debit_client is None:
        raise Refused("account: set the client code for direct debit in Settings first.")
    lock_reservations(work.session, mandates_in_force(work.session, collect_on))
    plan = plan_debits(work.session, work.clock.today(), collect_on)
    if not plan.debits:
        raise Refused("collectOn: there is nothing to collect on {day}.", day=collect_on)
    if expected_yen not in (None, plan.total_yen):
        raise Refused(
            "total: the total was {expected} yen when you looked and is {total} yen now. Check "
            "it again.",
            expected=expected_yen or 0,
            total=plan.total_yen,
        )
    row = DebitFile(
        id=new_id(),
        due_on=collect_on,
        **stored_office(work.session, facts, facts.debit_client),
        count=len(plan.debits),
        total_yen=plan.total_yen,
        made_at=work.clock.now(),
        made_by=work.actor,
    )
    work.session.add(row)
    work.session.flush()
    for position, debit in enumerate(plan.debits, 1):
        _add_debit(work.session, row.id, position, debit)
    # Refuse what the bank's character set cannot express before anything is stored.
    _write_file(work.session, row)
    note_step(work, AuditEvent.DEBIT_FILE_MADE, row)
    return row.id


def _add_debit(session: Session, file_id: str, position: int, debit: PlannedDebit) -> None:
    mandate, debit_id = debit.line.mandate, new_id()
    session.add(
        Debit(
            id=debit_id,
            file_id=file_id,
            mandate_id=mandate.id,
            reservation_id=mandate.reservation_id,
            position=position,
            customer=mandate.customer,
            yen=debit.yen,
            is_first=mandate.is_first,
            **account_columns(session, mandate.account),
        )
    )
    session.flush()
    session.add_all(
        DebitBill(id=new_id(), debit_id=debit_id, entry_id=bill.entry_id, yen=bill.yen)
        for bill in debit.chosen
    )
    session.flush()


def debit_file_bytes(session: Session, file_id: str) -> bytes:
    """Return the bytes of a request, which never change."""
    return _write_file(session, known_file(session, DebitFile, file_id))


def _write_file(session: Session, row: DebitFile) -> bytes:
    debits = session.scalars(
        select(Debit).where(Debit.file_id == row.id).order_by(Debit.position)
    ).all()
    records = [
        bank_orders.DebitOrder(
            bank_account(account_of(debit)), debit.yen, debit.customer, debit.is_first
        )
        for debit in debits
    ]
    try:
        return bank_orders.debit_request(client_of(row), f"{row.due_on:%m%d}", records)
    except BankFileFault as fault:
        raise refused_records(fault) from None


def hand_over_debits(work: Work, file_id: str) -> None:
    """Mark a request as handed to the bank; its mandates then count as used."""
    row = lock_file(work.session, DebitFile, file_id, BankOrderState.MADE)
    row.handed_over_at, row.handed_over_by = work.clock.now(), work.actor
    used = select(Debit.mandate_id).where(Debit.file_id == row.id)
    work.session.execute(
        update(DebitMandate)
        .where(DebitMandate.id.in_(used))
        .values(is_first=False)
        .execution_options(synchronize_session=False)
    )
    note_step(work, AuditEvent.DEBIT_FILE_HANDED_OVER, row)


def drop_debits(work: Work, file_id: str) -> None:
    """Drop a request that was not handed over, so that its bills can be in another file."""
    row = lock_file(work.session, DebitFile, file_id, BankOrderState.MADE)
    row.dropped_at, row.dropped_by = work.clock.now(), work.actor
    of_file = select(Debit.id).where(Debit.file_id == row.id)
    work.session.execute(
        update(DebitBill)
        .where(DebitBill.debit_id.in_(of_file))
        .values(is_awaited=False)
        .execution_options(synchronize_session=False)
    )
    note_step(work, AuditEvent.DEBIT_FILE_DROPPED, row)
