"""Sends a booking's contract and its move-in invoice in one act."""

from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.contracts.issuing import issue_contract, renew_paper
from pms.contracts.merged_documents import endless_template
from pms.contracts.queries import contract_record, paper_standing
from pms.contracts.signature_requests import send_contract
from pms.foundation.errors import Collision
from pms.foundation.files import Files
from pms.foundation.work import Work
from pms.ledger.move_in import is_move_in_invoice_paid
from pms.reservations.changes import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.enumerations import EntryKind, EsignStatus, PaymentStatus
from pms.statements.due_invoices import resend_invoice, send_invoice
from pms.statements.invoices import issue_invoice
from pms.statements.queries import BilledEntry, billed_entries


class SentPapers(NamedTuple):
    """The title of the contract and the number of the invoice that leave, `None` for neither."""

    contract: str | None
    invoice: str | None


def send_move_in_papers(work: Work, files: Files, *, reservation_id: str, link: str) -> SentPapers:
    """Write and mail whatever of contract and move-in invoice still has to leave.

    A contract that is missing, over or outdated is written from the template it had, else from
    the usual one; `link` leads to it. Raises `Refused` without an address, and `Collision` where
    both were sent already.
    """
    row = reservation_to_change(work.session, reservation_id)
    contract = _send_contract(work, row, link)
    invoice = _send_invoice(work, files, row)
    if contract is None and invoice is None:
        raise Collision("The contract and the invoice were sent already.")
    return SentPapers(contract, invoice)


def move_in_entry(session: Session, reservation_id: str) -> BilledEntry | None:
    """Return the move-in invoice's entry that stands, `None` without any."""
    found = billed_entries(session, reservation_id).values()
    return next((one for one in found if one.kind is EntryKind.MOVE_IN and not one.is_voided), None)


def _send_contract(work: Work, row: Reservation, link: str) -> str | None:
    if row.esign_status == EsignStatus.SIGNED:
        return None
    paper = paper_standing(work.session, row.id)
    if paper is None or paper.is_over:
        template_id = None if row.ends_on else endless_template(work.session)
        contract_id = issue_contract(work, reservation_id=row.id, template_id=template_id)
    elif paper.is_outdated:
        contract_id = renew_paper(work, contract_id=paper.id, link=link)
    elif paper.sent_at is None:
        contract_id = paper.id
    else:
        return None
    record = contract_record(work.session, contract_id)
    if record.sent_at is None:
        send_contract(work, contract_id=contract_id, link=link)
    return record.title


def _send_invoice(work: Work, files: Files, row: Reservation) -> str | None:
    entry = move_in_entry(work.session, row.id)
    is_paid = row.payment_status == PaymentStatus.PAID or is_move_in_invoice_paid(
        work.session, row.id, work.clock.today()
    )
    if entry is None or is_paid:
        return None
    invoice = issue_invoice(work, entry.id)
    if invoice.sent_at is None:
        send_invoice(work, invoice.id, files)
    elif entry.changed is not None and entry.changed.is_sent_before:
        resend_invoice(work, invoice_id=invoice.id, files=files, seen_sent_at=invoice.sent_at)
    else:
        return None
    return invoice.number
