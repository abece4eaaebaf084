"""Sends the two mails around an arrival that ask for the room's condition (Contract dates)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import and_, func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.clock import Clock, is_transfer_awaited
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.ledger.models import LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.days import readable
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.ledger_entries import EntryBalance
from pms.rules.resident_reports import OPENS_DAYS_BEFORE, REPORT_DAYS, ConditionWindow, due_reminder
from pms.statements.invoices import home_of, operator_of
from pms.statements.models import ArrivalReminder, Invoice


class Debtor(NamedTuple):
    """A resident in a list of debts; the times are those of the last mails about bills."""

    name: str
    name_kana: str | None
    email: str | None
    lifecycle: Lifecycle
    building: Bilingual
    unit: str
    invoiced_at: datetime | None
    reminded_at: datetime | None


def debtors(session: Session, reservation_ids: Sequence[str]) -> Mapping[str, Debtor]:
    """Return the residents of reservations in two queries, whatever their number."""
    ids = list(reservation_ids)
    written = _written_to(session, ids)
    return {
        id_: Debtor(
            name,
            kana,
            email,
            Lifecycle(lifecycle),
            Bilingual(building, building_en),
            unit,
            *written.get(id_, (None, None)),
        )
        for id_, name, kana, email, lifecycle, unit, building, building_en in session.execute(
            select(
                Reservation.id,
                Reservation.name,
                Reservation.name_kana,
                Reservation.email,
                Reservation.lifecycle,
                Unit.name,
                Building.name,
                Building.name_en,
            )
            .join(Reservation.unit)
            .join(Unit.building)
            .where(one_of(Reservation.id, ids))
        )
    }


def _written_to(
    session: Session, ids: list[str]
) -> Mapping[str, tuple[datetime | None, datetime | None]]:
    found = session.execute(
        select(LedgerEntry.reservation_id, func.max(Invoice.sent_at), func.max(Invoice.reminded_at))
        .join(Invoice, refers_to(Invoice.entry_id, LedgerEntry))
        .where(one_of(LedgerEntry.reservation_id, ids))
        .group_by(LedgerEntry.reservation_id)
    )
    return {id_: (sent_at, reminded_at) for id_, sent_at, reminded_at in found}


class DueMoney(NamedTuple):
    """The money a resident owes for one reservation, in whole yen.

    `open_yen` is everything billed and unpaid, including a deposit's line; `entry_id` is the bill
    to pay first. `awaited_yen` was due, and a transfer of the due day may not be booked yet.
    """

    open_yen: int
    overdue_yen: int
    overpaid_yen: int
    next_due_on: date | None
    next_yen: int
    entry_id: str | None
    awaited_yen: int = 0


def due_money(standings: Iterable[EntryBalance], on: date) -> DueMoney:
    """Return what is to be paid, from the standings of entries on a day."""
    standing = [bill for bill in standings if not bill.is_voided]
    unpaid = sorted((bill for bill in standing if bill.open_yen), key=lambda entry: entry.due_on)
    coming = [bill for bill in unpaid if bill.due_on >= on]
    next_on = coming[0].due_on if coming else None
    past = [bill for bill in unpaid if bill.due_on < on]
    awaited_yen = sum(bill.open_yen for bill in past if is_transfer_awaited(bill.due_on, on))
    return DueMoney(
        open_yen=sum(bill.open_yen for bill in unpaid),
        overdue_yen=sum(bill.open_yen for bill in past) - awaited_yen,
        overpaid_yen=sum(bill.overpaid_yen for bill in standing),
        next_due_on=next_on,
        next_yen=sum(bill.open_yen for bill in coming if bill.due_on == next_on),
        entry_id=unpaid[0].id if unpaid else None,
        awaited_yen=awaited_yen,
    )


_OCCASIONS: Final = {1: "arrival-before", 2: "arrival-after"}
_COMING: Final = (
    Lifecycle.BOOKED,
    Lifecycle.CONFIRMED,
    Lifecycle.LIVING,
    Lifecycle.NOTICE_FILED,
)


def send_arrival_reminders(session: Session, clock: Clock) -> int:
    """Send the due ones of the two mails of each resident's arrival; return how many are sent.

    The first is sent on the day before, or until two days after if it could not be sent; the second
    on the third day after, or until the window closes. Both follow the arrival date, else the
    effective start. A stored row for each prevents a second sending, even when the date changes.
    """
    return sum(
        _send_reminder(session, clock, reservation, number, arrival_on)
        for reservation, arrival_on in list(_list_arrivals(session, clock.today()))
        if (number := due_reminder(arrival_on, clock.today())) is not None
    )


def _list_arrivals(session: Session, today: date) -> Iterator[tuple[Reservation, date]]:
    days = (today - timedelta(days=REPORT_DAYS), today + timedelta(days=OPENS_DAYS_BEFORE))
    for reservation in session.scalars(
        select(Reservation)
        .where(
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.lifecycle.in_(_COMING),
            Reservation.email.is_not(None),
            or_(
                Reservation.arrival_date.between(*days),
                and_(Reservation.arrival_date.is_(None), Reservation.starts_on.between(*days)),
            ),
        )
        .order_by(Reservation.id)
    ):
        recorded = reservation.arrival_date
        arrival_on = reservation.starts_on if recorded is None else readable(recorded)
        if arrival_on is not None:
            yield reservation, arrival_on


def _send_reminder(
    session: Session, clock: Clock, reservation: Reservation, number: int, arrival_on: date
) -> bool:
    known = select(ArrivalReminder.id).where(
        ArrivalReminder.reservation_id == reservation.id, ArrivalReminder.number == number
    )
    if session.scalar(known) is not None:
        return False
    try:
        with session.begin_nested():
            session.add(
                ArrivalReminder(
                    reservation_id=reservation.id,
                    number=number,
                    arrival_on=arrival_on,
                    sent_at=clock.now(),
                )
            )
    except IntegrityError:
        return False
    _queue_mail(session, clock, reservation, number, arrival_on)
    return True


def _queue_mail(
    session: Session, clock: Clock, reservation: Reservation, number: int, arrival_on: date
) -> None:
    locale = reservation.locale
    operator = operator_of(session)
    mail = mail_text(
        _OCCASIONS[number],
        locale,
        hue=operator.hue,
        operator=operator.name.in_language(locale),
        recipient=reservation.name,
        home=home_of(session, reservation.id).in_language(locale),
        arrival_on=arrival_on,
        report_by_on=ConditionWindow(arrival_on).closes_on,
    )
    put_mail(session, clock, recipient=reservation.email or "", **mail._asdict())
