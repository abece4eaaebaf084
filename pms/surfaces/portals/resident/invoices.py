"""The bills of a tenancy, their payments, and their documents."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

from flask import Response, url_for
from flask_wtf import FlaskForm

from pms.collections.collections_read import store_number
from pms.foundation.clock import is_transfer_awaited
from pms.foundation.errors import no_such
from pms.foundation.work import Work
from pms.ledger import statement
from pms.ledger.statement import Movement, Statement
from pms.statements import (
    debtors,
    invoices,
    receipt_paper,
    receipts,
    reservation_bills,
    transfer_account,
)
from pms.statements.papers import CorrectionPaper, PaidPaper, paid_papers
from pms.statements.reservation_bills import BillLine
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page, pdf_answer
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.money import payment_method_label
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.surfaces.request_scope import clock, today

_TAKEN_BACK: Final = (
    Movement.MOVED,
    Movement.RETURNED,
    Movement.REVERSED,
    Movement.RESTORED,
)


class InvoicePayment(NamedTuple):
    """Money paid on a bill on a day, or taken off it again.

    Without a payment it comes from a settlement or an offset credit.
    """

    on: date
    method: str | None
    yen: int
    payment_id: str | None
    is_credit: bool
    has_receipt: bool
    may_have_receipt: bool
    corrections: Sequence[CorrectionPaper]


@blueprint.get("/<reservation_id>/invoices", endpoint="invoices")
def list_all(reservation_id: str) -> Response:
    """Show every bill, the newest year first."""
    found = statement.statement(reading(), reservation_id, today())
    bills = reservation_bills.bills_of(reading(), found)
    years = [
        (year, list(of_year))
        for year, of_year in groupby(bills, key=lambda bill: bill.entry.issued_on.year)
    ]
    return page(
        "portals/resident/invoices/list.html",
        tenancy=own.tenancy(reservation_id),
        years=years,
        money=debtors.due_money(found.standings, today()),
        is_awaited=_is_awaited,
        moved_deposits=[row for row in found.rows if row.other_id],
    )


def _is_awaited(bill: BillLine) -> bool:
    """Whether a transfer that was made on the bill's due day may not be booked yet."""
    return is_transfer_awaited(bill.standing.due_on, today())


@blueprint.get("/<reservation_id>/invoices/<entry_id>", endpoint="invoice")
def show(reservation_id: str, entry_id: str) -> Response:
    """Show one bill with its lines."""
    found = statement.statement(reading(), reservation_id, today())
    bill = own_bill(found, entry_id)
    payments = {payment.id: payment for payment in found.payments}
    papers = {paper.payment_id: paper for paper in paid_papers(reading(), found.reservation_id)}
    reached: list[InvoicePayment] = []
    for part in found.allocations:
        if part.entry_id == bill.entry.id:
            payment = payments.get(part.payment_id or "")
            method = payment_method_label(payment.method) if payment else None
            movement = found.movement_of(part)
            if movement in _TAKEN_BACK:
                method = label_of(movement)
            paper = papers.get(part.payment_id or "")
            reached.append(
                InvoicePayment(
                    on=part.on,
                    method=method,
                    yen=part.yen,
                    payment_id=part.payment_id,
                    is_credit=not (payment or part.settlement_id or part.transfer_id),
                    has_receipt=paper is not None and paper.number is not None,
                    may_have_receipt=paper is not None and paper.may_be_issued,
                    corrections=paper.corrections if paper and part.yen > 0 else (),
                )
            )
    return page(
        "portals/resident/invoices/bill.html",
        tenancy=own.tenancy(reservation_id),
        bill=bill,
        is_awaited=_is_awaited,
        lines=invoices.entry_lines(reading(), bill.entry.id, today()),
        reached=reached,
        transfer=transfer_account.transfer_of_day(reading(), reservation_id, today()),
    )


def own_bill(found: Statement, entry_id: str) -> BillLine:
    """Return a bill of this reservation; raise `NotFound` for any other id."""
    for bill in reservation_bills.bills_of(reading(), found):
        if bill.entry.id == entry_id:
            return bill
    raise no_such("ledger entry", entry_id)


@blueprint.get("/<reservation_id>/invoices/<entry_id>/paper", endpoint="invoice_paper")
def show_invoice(reservation_id: str, entry_id: str) -> Response:
    """Show the invoice of the resident's own bill."""
    bill = own_bill(statement.statement(reading(), reservation_id, today()), entry_id)
    if bill.invoice is None:
        raise no_such("invoice", entry_id)
    number_of = partial(store_number, clock())
    paper = invoices.invoice_pdf(reading(), bill.invoice.id, number_of=number_of)
    return pdf_answer(paper, f"{bill.invoice.number}.pdf")


@blueprint.post("/<reservation_id>/invoices/<entry_id>/paper", endpoint="issue_invoice")
def issue(reservation_id: str, entry_id: str) -> Response:
    """Issue the invoice of the resident's own bill and show it."""
    bill = own_bill(statement.statement(reading(), reservation_id, today()), entry_id)
    return _answer_issued(
        lambda work: invoices.issue_invoice(work, bill.entry.id).number,
        url_for(".invoice_paper", reservation_id=reservation_id, entry_id=entry_id),
        again=lambda: show(reservation_id, entry_id),
    )


@blueprint.get("/<reservation_id>/receipts/<payment_id>", endpoint="receipt_paper")
def show_receipt(reservation_id: str, payment_id: str) -> Response:
    """Show the receipt of the resident's own payment."""
    paid = _own_payment(reservation_id, payment_id)
    if paid.receipt_id is None:
        raise no_such("receipt", payment_id)
    return pdf_answer(receipt_paper.receipt_pdf(reading(), paid.receipt_id), f"{paid.number}.pdf")


@blueprint.get(
    "/<reservation_id>/receipts/<payment_id>/corrections/<correction_id>",
    endpoint="receipt_correction_paper",
)
def show_correction(reservation_id: str, payment_id: str, correction_id: str) -> Response:
    """Show the document that voids or corrects the receipt of the resident's own payment."""
    for correction in _own_payment(reservation_id, payment_id).corrections:
        if correction.id == correction_id:
            return pdf_answer(
                receipt_paper.correction_pdf(reading(), correction.id), f"{correction.number}.pdf"
            )
    raise no_such("receipt", correction_id)


@blueprint.post("/<reservation_id>/receipts/<payment_id>", endpoint="issue_receipt")
def issue_for_payment(reservation_id: str, payment_id: str) -> Response:
    """Issue the receipt of the resident's own payment and show it."""
    paid = _own_payment(reservation_id, payment_id)
    return _answer_issued(
        lambda work: receipts.issue_receipt(work, paid.payment_id).number,
        url_for(".receipt_paper", reservation_id=reservation_id, payment_id=payment_id),
        again=lambda: list_all(reservation_id),
    )


def _answer_issued(
    act: Callable[[Work], str], then: str, again: Callable[[], Response]
) -> Response:
    return submitted(FlaskForm(), act=act, then=lambda _number: go(then), again=again)


def _own_payment(reservation_id: str, payment_id: str) -> PaidPaper:
    for paid in paid_papers(reading(), reservation_id):
        if paid.payment_id == payment_id:
            return paid
    raise no_such("payment", payment_id)
