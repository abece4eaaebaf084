"""The papers of a tenancy as PDF; one that was never asked for gets its number by a tap."""

from collections.abc import Callable

from flask import Response, url_for
from wtforms import Form

from pms.foundation.errors import NotFound
from pms.foundation.tenancy import WorkspaceSession
from pms.ledger.statement import statement
from pms.statements.invoice_paper import invoice_pdf
from pms.statements.issue_invoice import issue_invoice
from pms.statements.issue_receipt import issue_receipt
from pms.statements.papers_of_reservation import PaidPaper, paid_papers
from pms.statements.receipt_paper import correction_pdf, receipt_pdf
from pms.surfaces.hypermedia import go
from pms.surfaces.portals.papers import paper
from pms.surfaces.portals.portal import clock, reading, submitted, today
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.invoices.bills import list_all, own_bill, show


def show_invoice(reservation_id: str, entry_id: str) -> Response:
    """Show the invoice of one's own bill."""
    bill = own_bill(statement(reading(), reservation_id, today()), entry_id)
    if bill.invoice is None:
        raise NotFound("There is no invoice '{invoice_id}'.", invoice_id=entry_id[:60])
    return paper(invoice_pdf(reading(), bill.invoice.id), f"{bill.invoice.number}.pdf")


def issue(reservation_id: str, entry_id: str) -> Response:
    """Give one's own bill its invoice and show it."""
    bill = own_bill(statement(reading(), reservation_id, today()), entry_id)
    return _issued(
        lambda session: issue_invoice(session, clock(), own.actor(), bill.entry.id).number,
        url_for(".invoice_paper", reservation_id=reservation_id, entry_id=entry_id),
        again=lambda: show(reservation_id, entry_id),
    )


def show_receipt(reservation_id: str, payment_id: str) -> Response:
    """Show the receipt of one's own payment."""
    paid = _own_payment(reservation_id, payment_id)
    if paid.receipt_id is None:
        raise NotFound("There is no receipt '{receipt_id}'.", receipt_id=payment_id[:60])
    return paper(receipt_pdf(reading(), paid.receipt_id), f"{paid.number}.pdf")


def show_correction(reservation_id: str, payment_id: str, correction_id: str) -> Response:
    """Show the paper that voids or corrects the receipt of one's own payment."""
    for one in _own_payment(reservation_id, payment_id).corrections:
        if one.id == correction_id:
            return paper(correction_pdf(reading(), one.id), f"{one.number}.pdf")
    raise NotFound("There is no receipt '{receipt_id}'.", receipt_id=correction_id[:60])


def issue_for_payment(reservation_id: str, payment_id: str) -> Response:
    """Give one's own payment its receipt and show it."""
    paid = _own_payment(reservation_id, payment_id)
    return _issued(
        lambda session: issue_receipt(session, clock(), own.actor(), paid.payment_id).number,
        url_for(".receipt_paper", reservation_id=reservation_id, payment_id=payment_id),
        again=lambda: list_all(reservation_id),
    )


def _issued(
    act: Callable[[WorkspaceSession], str], then: str, again: Callable[[], Response]
) -> Response:
    return submitted(Form(), act=act, then=lambda _number: go(then), again=again)


def _own_payment(reservation_id: str, payment_id: str) -> PaidPaper:
    for paid in paid_papers(reading(), reservation_id):
        if paid.payment_id == payment_id:
            return paid
    raise NotFound("There is no payment '{payment_id}'.", payment_id=payment_id[:60])
