"""Sends an invoice by mail, its paper attached, once."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import Attachment, put_mail
from pms.statements.entry_lines import total_yen
from pms.statements.invoice_paper import InvoicePaper, invoice_facts, invoice_paper
from pms.statements.models import Invoice
from pms.statements.queries import invoice_of
from pms.statements.typesetting import typeset


def send_invoice(session: Session, clock: Clock, actor: str, invoice_id: str, files: Files) -> bool:
    """Have an invoice mailed to its resident; tell whether it is leaving, or had left before.

    What is attached is kept in the file store, so the paper that left can always be shown.
    Raises `NotFound` for an unknown invoice, `Refused` without an address or when it was voided.
    """
    invoice = _locked(session, invoice_id)
    if invoice.sent_at is not None:
        return False
    paper = invoice_paper(session, invoice_id)
    address = _address(paper)
    file_key = files.put(typeset("invoice", invoice_facts(paper)), "pdf")
    _put(session, clock, paper, address, file_key)
    invoice.sent_at, invoice.sent_file_key = clock.now(), file_key
    session.flush()
    return True


def _locked(session: Session, invoice_id: str) -> Invoice:
    """Two who send the same invoice at once meet here: the second finds it sent."""
    invoice_of(session, invoice_id)
    wanted = select(Invoice).where(Invoice.id == invoice_id).with_for_update()
    return session.scalars(wanted.execution_options(populate_existing=True)).one()


def _address(paper: InvoicePaper) -> str:
    if paper.voided_on is not None:
        raise Refused(f"invoice: {paper.invoice.number} was voided on {paper.voided_on}.")
    if not paper.home.email:
        raise Refused("email: the reservation has no address to send the invoice to.")
    return paper.home.email


def _put(session: Session, clock: Clock, paper: InvoicePaper, address: str, file_key: str) -> None:
    locale, number = paper.invoice.locale, paper.invoice.number
    facts = invoice_facts(paper)
    mail = mail_text(
        "invoice",
        locale,
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
