"""Sends an invoice by mail once more, because somebody at the office asked for it."""

from datetime import datetime

from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision
from pms.foundation.files import Files
from pms.ledger.queries import entry_record
from pms.rules.deeds import Deed
from pms.statements.invoice_mail import locked_invoice, mail_invoice
from pms.statements.models import Invoice


def resend_invoice(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    invoice_id: str,
    files: Files,
    seen_sent_at: datetime | None,
) -> Invoice:
    """Have an invoice mailed, as it stands now, whether or not it left before.

    `seen_sent_at` is when it had left as far as the person asking knew: whoever asks twice, or
    beside a colleague, is told by a `Collision`. Raises `NotFound` for an unknown invoice,
    `Refused` without an address or when it was voided.
    """
    invoice = locked_invoice(session, invoice_id)
    if invoice.sent_at != seen_sent_at:
        raise Collision(
            "Invoice {number} was sent since this page was opened.", number=invoice.number
        )
    mail_invoice(session, clock, invoice, files)
    session.flush()
    note_deed(
        session,
        clock,
        actor,
        Deed.INVOICE_SENT,
        of_reservation(entry_record(session, invoice.entry_id).reservation_id),
        before={"sent_at": seen_sent_at},
        after={"number": invoice.number, "sent_at": invoice.sent_at},
    )
    return invoice
