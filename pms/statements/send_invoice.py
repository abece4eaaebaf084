"""Sends an invoice by mail, its paper attached, once."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.ledger.queries import entry_record
from pms.rules.deeds import Deed
from pms.statements.invoice_mail import locked_invoice, mail_invoice


def send_invoice(session: Session, clock: Clock, actor: str, invoice_id: str, files: Files) -> bool:
    """Have an invoice mailed to its resident; tell whether it is leaving, or had left before.

    What is attached is kept in the file store, so the paper that left can always be shown.
    Raises `NotFound` for an unknown invoice, `Refused` without an address or when it was voided.
    """
    invoice = locked_invoice(session, invoice_id)
    if invoice.sent_at is not None:
        return False
    mail_invoice(session, clock, invoice, files)
    about = of_reservation(entry_record(session, invoice.entry_id).reservation_id)
    told = {"number": invoice.number, "sent_at": invoice.sent_at}
    note_deed(session, clock, actor, Deed.INVOICE_SENT, about, after=told)
    session.flush()
    return True
