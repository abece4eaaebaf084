"""Mailing invoices: one, one again, or all that were billed and not sent yet."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, aliased

from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.files import Files
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import Attachment, put_mail
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import translate
from pms.foundation.work import Work
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import entry_record
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EntryKind
from pms.statements.invoices import (
    InvoicePaper,
    count_of_lines,
    invoice_facts,
    invoice_paper,
    issue_invoice,
    total_yen,
)
from pms.statements.models import Invoice
from pms.statements.papers import StoreNumberOf, no_store_number
from pms.statements.queries import invoice_of
from pms.statements.typesetting import typeset
from pms.workspaces.page_links import tenancy_link


def lock_invoice(session: Session, invoice_id: str) -> Invoice:
    """Lock and return an invoice, so that concurrent senders wait for each other."""
    invoice_of(session, invoice_id)
    wanted = select(Invoice).where(Invoice.id == invoice_id).with_for_update()
    return session.scalars(wanted.execution_options(populate_existing=True)).one()


def mail_invoice(
    session: Session,
    clock: Clock,
    invoice: Invoice,
    files: Files,
    number_of: StoreNumberOf = no_store_number,
) -> None:
    """Mail a locked invoice, and store its PDF of this time in the file store.

    Raises `Refused` without an address or when the invoice was voided.
    """
    paper = invoice_paper(session, invoice.id, number_of=number_of)
    if paper.voided_on is not None:
        raise Refused(
            "invoice: Invoice {number} was voided on {voided_on}.",
            number=paper.invoice.number,
            voided_on=paper.voided_on,
        )
    if not paper.home.email:
        raise Refused("email: the reservation has no email address to send the invoice to.")
    address = paper.home.email
    file_key = files.put(typeset("invoice", invoice_facts(paper)), "pdf")
    _queue_mail(session, clock, paper, address, file_key)
    invoice.sent_at, invoice.sent_file_key = clock.now(), file_key
    invoice.sent_lines = count_of_lines(session, invoice.entry_id)


def _queue_mail(
    session: Session, clock: Clock, paper: InvoicePaper, address: str, file_key: str
) -> None:
    locale, number = paper.invoice.locale, paper.invoice.number
    facts = invoice_facts(paper)
    mail = mail_text(
        "invoice",
        locale,
        hue=paper.operator.hue,
        operator=facts["operator"],
        recipient=facts["recipient"],
        subject=facts["subject"],
        number=number,
        total_yen=total_yen(paper.lines),
        due_on=paper.entry.due_on,
        store=facts["store"],
        link=tenancy_link(
            session, paper.entry.reservation_id, f"/invoices/{paper.entry.id}", address
        ),
        **paper.transfer.facts(locale),
    )
    name = translate("invoice-{number}.pdf", locale, number=number)
    attached = Attachment(name=name, media_type="application/pdf", file_key=file_key)
    put_mail(session, clock, recipient=address, attachments=[attached], **mail._asdict())


def resend_invoice(
    work: Work,
    *,
    invoice_id: str,
    files: Files,
    seen_sent_at: datetime | None,
    number_of: StoreNumberOf = no_store_number,
) -> Invoice:
    """Mail an invoice as it is now, whether or not it was sent before.

    `seen_sent_at` is the last sending known to the caller: raises `Collision` when it was sent
    since, by a second click or a colleague. Raises `NotFound` for an unknown invoice, and `Refused`
    without an address or when it was voided.
    """
    invoice = lock_invoice(work.session, invoice_id)
    if invoice.sent_at != seen_sent_at:
        raise Collision(
            "Invoice {number} has been sent since you opened this page.", number=invoice.number
        )
    mail_invoice(work.session, work.clock, invoice, files, number_of)
    work.session.flush()
    note_audit_event(
        work,
        AuditEvent.INVOICE_SENT,
        of_reservation(entry_record(work.session, invoice.entry_id).reservation_id),
        before={"sent_at": seen_sent_at},
        after={"number": invoice.number, "sent_at": invoice.sent_at},
    )
    return invoice


def send_invoice(
    work: Work, invoice_id: str, files: Files, number_of: StoreNumberOf = no_store_number
) -> bool:
    """Mail an invoice to its resident; return False if it was sent before.

    The attached PDF is kept in the file store, so that it can always be shown. Raises `NotFound`
    for an unknown invoice, and `Refused` without an address or when it was voided.
    """
    invoice = lock_invoice(work.session, invoice_id)
    if invoice.sent_at is not None:
        return False
    mail_invoice(work.session, work.clock, invoice, files, number_of)
    about = of_reservation(entry_record(work.session, invoice.entry_id).reservation_id)
    facts = {"number": invoice.number, "sent_at": invoice.sent_at}
    note_audit_event(work, AuditEvent.INVOICE_SENT, about, after=facts)
    work.session.flush()
    return True


# A person decides whether to send what was billed longer ago.
SENDING_DAYS: Final = 31
ACTOR: Final = "timed work"


class SentInvoices(NamedTuple):
    """The number of sent invoices, the entries that were refused, and the last entry, if any."""

    sent: int
    refused_entry_ids: tuple[str, ...]
    last_entry_id: str | None


def send_due_invoices(
    session: Session,
    clock: Clock,
    files: Files,
    *,
    after: str | None = None,
    most: int = 20,
    number_of: StoreNumberOf = no_store_number,
) -> SentInvoices:
    """Issue and send the invoices of entries issued by today, at most `most` in a call.

    The next call starts `after` the last entry of this one, until there is none. Residents without
    an address get their invoice from the office.
    """
    sent, refused, entry_id = 0, [], None
    for entry_id in due_entries(session, clock, after=after, most=most):
        try:
            invoice = issue_invoice(Work(session, clock, ACTOR), entry_id)
            sent += send_invoice(Work(session, clock, ACTOR), invoice.id, files, number_of)
        except Refused:
            refused.append(entry_id)
    return SentInvoices(sent, tuple(refused), entry_id)


def due_entries(session: Session, clock: Clock, *, after: str | None, most: int) -> Sequence[str]:
    """Return the ids of entries to be invoiced by mail, in order."""
    due = _due_by(clock.today()).order_by(LedgerEntry.id).limit(most)
    return session.scalars(due if after is None else due.where(LedgerEntry.id > after)).all()


def _due_by(today: date) -> Select[str]:
    opposite = aliased(LedgerEntry)
    return (
        select(LedgerEntry.id)
        .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
        .outerjoin(Invoice, refers_to(Invoice.entry_id, LedgerEntry))
        .where(
            LedgerEntry.issued_on.between(today - timedelta(days=SENDING_DAYS), today),
            LedgerEntry.kind.not_in((EntryKind.OPPOSITE, EntryKind.CREDIT, EntryKind.OPENING)),
            Invoice.sent_at.is_(None),
            Reservation.email.is_not(None),
            ~select(opposite.id).where(refers_to(opposite.opposes_id, LedgerEntry)).exists(),
        )
    )
