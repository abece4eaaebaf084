"""Reminds of invoices that were sent and stayed open after their due day, once each."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import standings
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from pms.rules.ledger_entries import Standing
from pms.statements.invoice_paper import invoice_facts, invoice_paper
from pms.statements.models import Invoice

# A transfer takes a bank holiday or two; what is older than the last day is for a person.
PATIENCE_DAYS: Final = 3
LAST_DAYS: Final = 60

# While a tenancy is open its deposit is asked for as well; afterwards rent and charges alone.
_OPEN: Final = {Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING, Lifecycle.NOTICE_FILED}


def send_overdue_reminders(session: Session, clock: Clock, *, most: int = 200) -> int:
    """Remind of open invoices due three days ago or earlier; return how many mails leave.

    An invoice is locked before it is looked at, so that each is reminded of once; one that was
    paid is left alone and looked at again the next time.
    """
    overdue = _overdue(session, clock)
    found = standings(session, {reservation.id for _, _, reservation in overdue}, clock.today())
    standing_of = {standing.id: standing for all_ in found.values() for standing in all_}
    reminded = 0
    for invoice, entry, reservation in overdue:
        open_yen = asked_yen(standing_of[entry.id], reservation.lifecycle)
        if open_yen > 0 and reminded < most:
            _remind(session, clock, invoice, reservation, open_yen)
            reminded += 1
    session.flush()
    return reminded


def _overdue(session: Session, clock: Clock) -> Sequence[tuple[Invoice, LedgerEntry, Reservation]]:
    today = clock.today()
    rows = session.execute(
        select(Invoice, LedgerEntry, Reservation)
        .join(
            LedgerEntry,
            (LedgerEntry.workspace_id == Invoice.workspace_id)
            & (LedgerEntry.id == Invoice.entry_id),
        )
        .join(
            Reservation,
            (Reservation.workspace_id == LedgerEntry.workspace_id)
            & (Reservation.id == LedgerEntry.reservation_id),
        )
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
    return [(invoice, entry, reservation) for invoice, entry, reservation in rows]


def asked_yen(standing: Standing, lifecycle: str) -> int:
    """Return what a reminder of an entry asks for: the deposit too while the tenancy is open."""
    if standing.is_voided:
        return 0
    is_open = lifecycle in _OPEN
    return standing.open_yen if is_open else standing.unpaid_yen


def _remind(
    session: Session, clock: Clock, invoice: Invoice, reservation: Reservation, open_yen: int
) -> None:
    paper = invoice_paper(session, invoice.id)
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
        bank=paper.operator.bank_details,
    )
    put_mail(session, clock, recipient=reservation.email or "", **mail._asdict())
    invoice.reminded_at = clock.now()
