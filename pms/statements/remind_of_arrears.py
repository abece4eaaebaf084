"""Reminds residents of everything that is overdue, one mail each, because the office asked."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.reservations.locks import lock_reservations
from pms.rules.deeds import Deed
from pms.statements.issue_invoice import issue_invoice
from pms.statements.models import Invoice
from pms.statements.parties import Operator, operator_of
from pms.statements.reminder_plan import OverdueBill, PlannedReminder, plan_reminders


def remind_of_arrears(
    session: Session, clock: Clock, actor: str, *, reservation_ids: Sequence[str]
) -> tuple[PlannedReminder, ...]:
    """Have the reminders leave that can, and return them; nobody is reminded twice on a day.

    A bill that had no invoice yet gets one, so that the mail can name its number. Raises
    `Refused` when nobody of those named can be reminded.
    """
    lock_reservations(session, [id_ for id_ in reservation_ids if is_id(id_)])
    planned = plan_reminders(session, reservation_ids, clock.today())
    leaving = tuple(one for one in planned if one.bar is None)
    if not leaving:
        raise Refused(
            "Nobody is reminded: each has nothing overdue, no address, or was reminded today."
        )
    operator = operator_of(session)
    for one in leaving:
        _remind(session, clock, actor, one, operator)
    session.flush()
    return leaving


def _remind(
    session: Session, clock: Clock, actor: str, planned: PlannedReminder, operator: Operator
) -> None:
    numbers = _noted_invoices(session, clock, actor, planned)
    mail = mail_text(
        "arrears",
        planned.locale,
        hue=operator.hue,
        operator=operator.name.said(planned.locale),
        recipient=planned.name,
        bills=[_told(bill, numbers, planned.locale) for bill in planned.bills],
        open_yen=planned.open_yen,
        today=clock.today(),
        bank=operator.bank_details,
    )
    put_mail(session, clock, recipient=planned.email or "", **mail._asdict())
    after = {"invoices": list(numbers.values()), "open_yen": planned.open_yen}
    subject = of_reservation(planned.reservation_id)
    note_deed(session, clock, actor, Deed.OVERDUE_REMINDERS_SENT, subject, after=after)


def _noted_invoices(
    session: Session, clock: Clock, actor: str, planned: PlannedReminder
) -> dict[str, str]:
    """Write down on each invoice that it was reminded of; return the numbers by entry."""
    for bill in planned.bills:
        issue_invoice(session, clock, actor, bill.entry_id)
    entry_ids = [bill.entry_id for bill in planned.bills]
    invoices = session.scalars(select(Invoice).where(Invoice.entry_id.in_(entry_ids))).all()
    for invoice in invoices:
        invoice.reminded_at = clock.now()
    return {invoice.entry_id: invoice.number for invoice in invoices}


def _told(bill: OverdueBill, numbers: dict[str, str], locale: str) -> dict[str, object]:
    return {
        "number": numbers[bill.entry_id],
        "label": bill.label.said(locale),
        "due_on": bill.due_on,
        "open_yen": bill.open_yen,
    }
