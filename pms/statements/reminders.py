"""Reminders of overdue bills."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import Result, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock, first_reminder_day, transfer_seen_day
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import standings
from pms.reservations.locks import lock_reservations
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enumerations import Lifecycle
from pms.rules.ledger_entries import EntryBalance
from pms.statements.invoices import (
    Operator,
    invoice_facts,
    invoice_paper,
    issue_invoice,
    operator_of,
)
from pms.statements.models import Invoice
from pms.statements.papers import StoreNumberOf, no_store_number, store_facts
from pms.statements.transfer_account import transfer_of_day
from pms.workspaces.page_links import tenancy_link

# Counted in calendar days, then on to a business day; a person handles debts older than the last.
PATIENCE_DAYS: Final = 3
LAST_DAYS: Final = 60

# The deposit is demanded only while the tenancy is open; afterwards only rent and charges.
_OPEN: Final = {Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING, Lifecycle.NOTICE_FILED}


def send_overdue_reminders(
    session: Session,
    clock: Clock,
    *,
    most: int = 200,
    number_of: StoreNumberOf = no_store_number,
) -> int:
    """Remind of invoices that are overdue by three days or more; return how many mails are sent.

    The first reminder falls on a business day on which a transfer of the due day can be seen.
    Each invoice is locked before the check, so that it is reminded of only once; a paid one is
    skipped and checked again the next time.
    """
    overdue = _list_overdue(session, clock)
    found = standings(session, {reservation.id for _, _, reservation in overdue}, clock.today())
    standing_of = {standing.id: standing for all_ in found.values() for standing in all_}
    reminded = 0
    for invoice, entry, reservation in overdue:
        open_yen = asked_yen(standing_of[entry.id], reservation.lifecycle)
        if open_yen > 0 and reminded < most:
            _mail_overdue_reminder(
                session, clock, invoice, reservation, open_yen, number_of=number_of
            )
            reminded += 1
    session.flush()
    return reminded


def _list_overdue(
    session: Session, clock: Clock
) -> Sequence[tuple[Invoice, LedgerEntry, Reservation]]:
    today = clock.today()
    rows = session.execute(
        select(Invoice, LedgerEntry, Reservation)
        .join(LedgerEntry, refers_to(Invoice.entry_id, LedgerEntry))
        .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
        .where(
            Invoice.sent_at.is_not(None),
            Invoice.reminded_at.is_(None),
            LedgerEntry.due_on.between(
                today - timedelta(days=LAST_DAYS), today - timedelta(days=PATIENCE_DAYS)
            ),
            Reservation.email.is_not(None),
        )
        .order_by(Invoice.id)
        .with_for_update(of=Invoice)
        .execution_options(populate_existing=True)
    )
    return [
        (invoice, entry, reservation)
        for invoice, entry, reservation in rows
        if first_reminder_day(entry.due_on, PATIENCE_DAYS) <= today
    ]


def asked_yen(standing: EntryBalance, lifecycle: str) -> int:
    """Return the sum to demand for an entry: with the deposit while the tenancy is open."""
    if standing.is_voided:
        return 0
    is_open = lifecycle in _OPEN
    return standing.open_yen if is_open else standing.unpaid_yen


def _mail_overdue_reminder(
    session: Session,
    clock: Clock,
    invoice: Invoice,
    reservation: Reservation,
    open_yen: int,
    *,
    number_of: StoreNumberOf,
) -> None:
    paper = invoice_paper(session, invoice.id, number_of=number_of)
    facts = invoice_facts(paper)
    mail = mail_text(
        "overdue",
        invoice.locale,
        hue=paper.operator.hue,
        operator=facts["operator"],
        recipient=facts["recipient"],
        subject=facts["subject"],
        number=invoice.number,
        open_yen=open_yen,
        due_on=paper.entry.due_on,
        today=clock.today(),
        store=facts["store"],
        link=tenancy_link(
            session, reservation.id, f"/invoices/{invoice.entry_id}", reservation.email
        ),
        **paper.transfer.facts(invoice.locale),
    )
    put_mail(session, clock, recipient=reservation.email or "", **mail._asdict())
    invoice.reminded_at = clock.now()


class ReminderBar(StrEnum):
    """Why a resident is not reminded."""

    NO_ADDRESS = "no_address"
    NOTHING_OVERDUE = "nothing_overdue"
    REMINDED_TODAY = "reminded_today"


class OverdueBill(NamedTuple):
    """One overdue bill, and the sum demanded for it, in whole yen."""

    entry_id: str
    label: Bilingual
    due_on: date
    open_yen: int
    reminded_at: datetime | None


@dataclass(frozen=True, slots=True)
class PlannedReminder:
    """The mail to one resident, or the reason why there is none."""

    reservation_id: str
    name: str
    email: str | None
    locale: str
    building: Bilingual
    unit: str
    bills: tuple[OverdueBill, ...]
    bar: ReminderBar | None
    seen_from: date | None = None
    """Until this day a transfer of a due day may not be on the bank's list yet, if that is to come."""

    @property
    def open_yen(self) -> int:
        """The sum that the mail demands."""
        return sum(bill.open_yen for bill in self.bills)


def plan_reminders(
    session: Session, reservation_ids: Sequence[str], today: date
) -> tuple[PlannedReminder, ...]:
    """Return the reminders of reservations, the oldest debt first; unknown ids are left out."""
    ids = [id_ for id_ in reservation_ids if is_id(id_)]
    bills = _list_overdue_bills(session, ids, today)
    planned = [
        PlannedReminder(
            reservation_id=id_,
            name=name,
            email=email,
            locale=locale,
            building=Bilingual(building, building_en),
            unit=unit,
            bills=tuple(bills.get(id_, ())),
            bar=_find_reminder_bar(email, bills.get(id_, ()), today),
            seen_from=_day_to_come(bills.get(id_, ()), today),
        )
        for id_, name, email, locale, unit, building, building_en in _read_people(session, ids)
    ]
    return tuple(sorted(planned, key=_oldest_first))


def _day_to_come(bills: Sequence[OverdueBill], today: date) -> date | None:
    """Return the day on which transfers of all due days can be seen, if that is to come."""
    days = (transfer_seen_day(bill.due_on) for bill in bills)
    return max((day for day in days if day > today), default=None)


def _oldest_first(planned: PlannedReminder) -> tuple[bool, date, str]:
    first_due_on = min((bill.due_on for bill in planned.bills), default=date.max)
    return planned.bar is not None, first_due_on, planned.reservation_id


def _find_reminder_bar(
    email: str | None, bills: Sequence[OverdueBill], today: date
) -> ReminderBar | None:
    if not bills:
        return ReminderBar.NOTHING_OVERDUE
    if not email:
        return ReminderBar.NO_ADDRESS
    reminded = [bill.reminded_at for bill in bills if bill.reminded_at is not None]
    is_reminded = any(day_of(at) == today for at in reminded)
    return ReminderBar.REMINDED_TODAY if is_reminded else None


def _read_people(session: Session, ids: Sequence[str]) -> Result[*tuple[Any, ...]]:
    return session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Reservation.email,
            Reservation.locale,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(one_of(Reservation.id, ids))
    )


def _list_overdue_bills(
    session: Session, ids: Sequence[str], today: date
) -> Mapping[str, list[OverdueBill]]:
    """The overdue bills of each reservation, the oldest first."""
    found: dict[str, EntryBalance] = {
        standing.id: standing
        for of_one in standings(session, ids, today).values()
        for standing in of_one
        if standing.due_on < today
    }
    bills: defaultdict[str, list[OverdueBill]] = defaultdict(list)
    for reservation_id, lifecycle, entry_id, ja, en, reminded_at in session.execute(
        _ENTRIES.where(one_of(LedgerEntry.reservation_id, ids))
    ):
        standing = found.get(entry_id)
        open_yen = asked_yen(standing, lifecycle) if standing is not None else 0
        if standing is not None and open_yen > 0:
            bill = OverdueBill(entry_id, Bilingual(ja, en), standing.due_on, open_yen, reminded_at)
            bills[reservation_id].append(bill)
    return bills


_ENTRIES: Final = (
    select(
        LedgerEntry.reservation_id,
        Reservation.lifecycle,
        LedgerEntry.id,
        LedgerEntry.label_ja,
        LedgerEntry.label_en,
        Invoice.reminded_at,
    )
    .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
    .outerjoin(Invoice, refers_to(Invoice.entry_id, LedgerEntry))
    .order_by(LedgerEntry.due_on, LedgerEntry.id)
)


def remind_of_arrears(
    work: Work, *, reservation_ids: Sequence[str], number_of: StoreNumberOf = no_store_number
) -> tuple[PlannedReminder, ...]:
    """Send the reminders that can be sent, and return them; at most one a day per resident.

    A bill without an invoice gets one, so that the mail can name its number. Raises `Refused` when
    none of the residents can be reminded.
    """
    lock_reservations(work.session, [id_ for id_ in reservation_ids if is_id(id_)])
    planned = plan_reminders(work.session, reservation_ids, work.clock.today())
    leaving = tuple(reminder for reminder in planned if reminder.bar is None)
    if not leaving:
        raise Refused(
            "No reminders to send: nothing is overdue, there is no email address, or a "
            "reminder was sent today."
        )
    operator = operator_of(work.session)
    for entry in leaving:
        _mail_arrears_reminder(work, entry, operator, number_of)
    work.session.flush()
    return leaving


def _mail_arrears_reminder(
    work: Work, planned: PlannedReminder, operator: Operator, number_of: StoreNumberOf
) -> None:
    numbers = _noted_invoices(work, planned)
    mail = mail_text(
        "arrears",
        planned.locale,
        hue=operator.hue,
        operator=operator.name.in_language(planned.locale),
        recipient=planned.name,
        bills=[
            {
                **_bill_line(bill, numbers, planned.locale),
                "store": store_facts(number_of(work.session, bill.entry_id), planned.locale),
            }
            for bill in planned.bills
        ],
        open_yen=planned.open_yen,
        today=work.clock.today(),
        link=tenancy_link(work.session, planned.reservation_id, "/invoices", planned.email),
        **transfer_of_day(work.session, planned.reservation_id, work.clock.today()).facts(
            planned.locale
        ),
    )
    put_mail(work.session, work.clock, recipient=planned.email or "", **mail._asdict())
    after = {"invoices": list(numbers.values()), "open_yen": planned.open_yen}
    subject = of_reservation(planned.reservation_id)
    note_audit_event(work, AuditEvent.OVERDUE_REMINDERS_SENT, subject, after=after)


def _noted_invoices(work: Work, planned: PlannedReminder) -> dict[str, str]:
    """Set the reminder time of each invoice; return the numbers by entry."""
    for bill in planned.bills:
        issue_invoice(work, bill.entry_id)
    entry_ids = [bill.entry_id for bill in planned.bills]
    invoices = work.session.scalars(select(Invoice).where(Invoice.entry_id.in_(entry_ids))).all()
    for invoice in invoices:
        invoice.reminded_at = work.clock.now()
    return {invoice.entry_id: invoice.number for invoice in invoices}


def _bill_line(bill: OverdueBill, numbers: dict[str, str], locale: str) -> dict[str, object]:
    return {
        "number": numbers[bill.entry_id],
        "label": bill.label.in_language(locale),
        "due_on": bill.due_on,
        "open_yen": bill.open_yen,
    }
