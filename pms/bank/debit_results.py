"""Reads the bank's result of a request: payments for collected bills, failures for the others."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.bank.models import Debit, DebitBill, DebitFile
from pms.bank.orders import (
    KeptOffice,
    note_step,
    state_of,
)
from pms.bank.statement_files import refused_records
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import next_bank_day
from pms.foundation.errors import Refused
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.stored_forms import read_stored
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import standings
from pms.reservations.locks import lock_reservations
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.bank_orders import DebitAnswer, DebitResult, read_debit_result
from pms.rules.bank_records import BankFileFault
from pms.rules.enumerations import BankOrderState, DebitOutcome
from pms.rules.payments import AllocatedPart
from pms.statements.transfer_account import transfer_of_day
from pms.workspaces.office_bank import office_bank
from pms.workspaces.page_links import tenancy_link
from pms.workspaces.queries import branding


class ReadResult(NamedTuple):
    """The effects of a result; the same file again has none."""

    file_id: str
    collected: int
    collected_yen: int
    failed: int
    is_new: bool


class _PaidBills(NamedTuple):
    """The bills a debit collected, and the bank's business day on which it did."""

    on: date
    bills: Sequence[DebitBill]


def open_result(data: bytes) -> DebitResult:
    """Return the answers of the bank's result file, which is read completely or not at all."""
    if not data:
        raise Refused("file: choose the file from the bank.")
    try:
        return read_debit_result(data)
    except BankFileFault as fault:
        raise refused_records(fault) from None


def read_result(work: Work, result: DebitResult) -> ReadResult:
    """Take the bank's result: collected bills are paid, failed ones stay open with their reason.

    It is not taken before the bank's day of collection. Each payer whose debit failed gets a mail.
    """
    row = _file_of(work.session, result)
    debits = {
        debit.customer: debit
        for debit in work.session.scalars(
            select(Debit).where(Debit.file_id == row.id).order_by(Debit.position)
        )
    }
    _refuse_other(result, debits)
    if state_of(row) is BankOrderState.ANSWERED:
        return ReadResult(row.id, 0, 0, 0, is_new=False)
    collected_on = next_bank_day(row.due_on)
    _refuse_early(row.due_on, collected_on, work.clock.today())
    lock_reservations(work.session, {debit.reservation_id for debit in debits.values()})
    _apply_answers(work, row, result.answers, debits, collected_on)
    failed = sum(not answer.is_collected for answer in result.answers)
    row.handed_over_at, row.handed_over_by = (
        row.handed_over_at or work.clock.now(),
        row.handed_over_by or work.actor,
    )
    row.answered_at, row.answered_by = work.clock.now(), work.actor
    row.collected_yen, row.failed = result.collected_yen, failed
    note_step(work, AuditEvent.DEBIT_RESULT_READ, row)
    return ReadResult(row.id, len(result.answers) - failed, result.collected_yen, failed, True)


def _apply_answers(
    work: Work,
    row: DebitFile,
    answers: Sequence[DebitAnswer],
    debits: Mapping[str, Debit],
    collected_on: date,
) -> None:
    bills = bills_of_debits(work.session, row.id)
    for answer in answers:
        debit = debits[answer.customer]
        debit.code, debit.outcome = answer.code, answer.outcome
        for bill in bills.get(debit.id, ()):
            bill.is_awaited = False
        if answer.is_collected:
            _record_collected_payment(
                work, debit, _PaidBills(collected_on, bills.get(debit.id, ()))
            )
    work.session.flush()
    for answer in answers:
        if not answer.is_collected:
            _tell_failure(work, row, debits[answer.customer])


def _file_of(session: Session, result: DebitResult) -> DebitFile:
    """Return the request of a result: same client and day, unanswered requests first."""
    rows = session.scalars(
        select(DebitFile)
        .where(DebitFile.dropped_at.is_(None))
        .order_by(DebitFile.answered_at.is_not(None), DebitFile.due_on.desc(), DebitFile.id.desc())
        .with_for_update()
        .limit(200)
    ).all()
    customers = {answer.customer for answer in result.answers}
    for row in rows:
        is_same = (
            f"{row.due_on:%m%d}" == result.day
            and read_stored(KeptOffice, row.office).client == result.client_code
        )
        if is_same and customers <= set(
            session.scalars(select(Debit.customer).where(Debit.file_id == row.id))
        ):
            return row
    raise Refused(
        "file: there is no request from {client} for {day}. Nothing was imported.",
        client=result.client_code,
        day=result.day,
    )


def _refuse_other(result: DebitResult, debits: dict[str, Debit]) -> None:
    """Refuse a result whose customers or amounts differ from the request."""
    answered = {answer.customer: answer.yen for answer in result.answers}
    asked = {customer: debit.yen for customer, debit in debits.items()}
    if len(answered) != len(result.answers) or answered != asked:
        differing = next(
            (
                customer
                for customer in sorted({*asked, *answered})
                if asked.get(customer) != answered.get(customer)
            ),
            "-",
        )
        raise Refused(
            "file: customer {customer} was billed {asked} yen, but the result says {found}. "
            "Nothing was imported.",
            customer=differing,
            asked=asked.get(differing, 0),
            found=answered.get(differing, 0),
        )


def _refuse_early(due_on: date, collected_on: date, today: date) -> None:
    """Refuse a result before the bank can have collected anything."""
    if today < collected_on:
        raise Refused(
            "file: this result is for {due_on}, and today is {today}. Import it on {day} or later, "
            "when the bank has collected. Nothing was imported.",
            due_on=due_on,
            today=today,
            day=collected_on,
        )


def _record_collected_payment(work: Work, debit: Debit, paid: _PaidBills) -> None:
    """Record a collected payment; the part of bills paid meanwhile becomes an overpayment."""
    found = standings(work.session, [debit.reservation_id], work.clock.today()).get(
        debit.reservation_id, ()
    )
    takes = {bill.id for bill in found if not (bill.is_voided or bill.is_credit)}
    debit.payment_id = record_payment(
        work,
        reservation_id=debit.reservation_id,
        amount_yen=debit.yen,
        received_on=paid.on,
        wanted=[
            AllocatedPart(bill.entry_id, bill.yen) for bill in paid.bills if bill.entry_id in takes
        ],
        method="direct_debit",
        reference=f"{paid.on.isoformat()} {debit.customer}",
    )


def _tell_failure(work: Work, row: DebitFile, debit: Debit) -> None:
    """Note why a debit failed, and mail its payer to transfer the money or provide funds."""
    reservation = work.session.scalars(
        select(Reservation).where(Reservation.id == debit.reservation_id)
    ).one()
    outcome = debit.outcome or DebitOutcome.OTHER
    facts = {"amount_yen": debit.yen, "due_on": row.due_on, "outcome": outcome.value}
    about = of_reservation(debit.reservation_id)
    note_audit_event(work, AuditEvent.DEBIT_FAILED, about, after=facts)
    if not reservation.email:
        return
    brand = branding(work.session)
    locale = reservation.locale
    mail = mail_text(
        "debit-failed",
        locale,
        hue=brand.hue,
        operator=brand.name.in_language(locale),
        recipient=reservation.name,
        yen=debit.yen,
        collect_on=row.due_on,
        outcome=outcome.value,
        is_repeated=_is_repeated(work.session, debit),
        link=tenancy_link(work.session, debit.reservation_id, "/invoices", reservation.email),
        **transfer_of_day(work.session, debit.reservation_id, work.clock.today()).facts(locale),
    )
    put_mail(work.session, work.clock, recipient=reservation.email, **mail._asdict())


def _is_repeated(session: Session, debit: Debit) -> bool:
    """Whether the bills of a failed debit are tried again: only after missing funds."""
    found = office_bank(session)
    if found is None or debit.outcome is not DebitOutcome.NO_FUNDS:
        return False
    entry_ids = select(DebitBill.entry_id).where(DebitBill.debit_id == debit.id)
    tried = session.scalars(
        select(DebitBill.entry_id)
        .join(Debit, refers_to(DebitBill.debit_id, Debit))
        .where(
            DebitBill.entry_id.in_(entry_ids),
            Debit.outcome.is_not(None),
            Debit.outcome != DebitOutcome.COLLECTED,
        )
    ).all()
    return any(tried.count(entry_id) < found.facts.debit_attempts for entry_id in set(tried))


def bills_of_debits(session: Session, file_id: str) -> Mapping[str, Sequence[DebitBill]]:
    """Return the bills of each record of a request."""
    found: dict[str, list[Any]] = {}
    rows = session.scalars(
        select(DebitBill)
        .join(Debit, refers_to(DebitBill.debit_id, Debit))
        .where(Debit.file_id == file_id)
        .order_by(DebitBill.id)
    )
    for row in rows:
        found.setdefault(row.debit_id, []).append(row)
    return found
