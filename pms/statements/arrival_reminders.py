"""Sends the two mails around an arrival that ask for the room's condition (Contract dates)."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from sqlalchemy import and_, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.reservations.models import Reservation
from pms.rules.days import readable
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.resident_reports import OPENS_DAYS_BEFORE, REPORT_DAYS, ConditionWindow, due_reminder
from pms.statements.invoices import home_of, operator_of
from pms.statements.models import ArrivalReminder
from pms.workspaces.page_links import tenancy_link

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
        link=tenancy_link(session, reservation.id, "/condition", reservation.email),
    )
    put_mail(session, clock, recipient=reservation.email or "", **mail._asdict())
