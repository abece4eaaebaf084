"""The mail an invoice leaves by: its address, its words, and the paper that goes along."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import Attachment, put_mail
from pms.statements.entry_lines import count_of_lines, total_yen
from pms.statements.invoice_paper import InvoicePaper, invoice_facts, invoice_paper
from pms.statements.models import Invoice
from pms.statements.queries import invoice_of
from pms.statements.typesetting import typeset


def locked_invoice(session: Session, invoice_id: str) -> Invoice:
    """Return an invoice as it is now: two who send the same one at once meet here."""
    invoice_of(session, invoice_id)
    wanted = select(Invoice).where(Invoice.id == invoice_id).with_for_update()
    return session.scalars(wanted.execution_options(populate_existing=True)).one()


def mail_invoice(session: Session, clock: Clock, invoice: Invoice, files: Files) -> None:
    """Have a locked invoice leave by mail, its paper as it is now kept in the file store.

    Raises `Refused` without an address or when the invoice was voided.
    """
    paper = invoice_paper(session, invoice.id)
    address = _address(paper)
    file_key = files.put(typeset("invoice", invoice_facts(paper)), "pdf")
    _put(session, clock, paper, address, file_key)
    invoice.sent_at, invoice.sent_file_key = clock.now(), file_key
    invoice.sent_lines = count_of_lines(session, invoice.entry_id)


def _address(paper: InvoicePaper) -> str:
    if paper.voided_on is not None:
        raise Refused(
            "invoice: {number} was voided on {voided_on}.",
            number=paper.invoice.number,
            voided_on=paper.voided_on,
        )
    if not paper.home.email:
        raise Refused("email: the reservation has no address to send the invoice to.")
    return paper.home.email


def _put(session: Session, clock: Clock, paper: InvoicePaper, address: str, file_key: str) -> None:
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
        bank=paper.operator.bank_details,
    )
    name = f"請求書-{number}.pdf" if locale == "ja" else f"invoice-{number}.pdf"
    attached = Attachment(name=name, media_type="application/pdf", file_key=file_key)
    put_mail(session, clock, recipient=address, attachments=[attached], **mail._asdict())
