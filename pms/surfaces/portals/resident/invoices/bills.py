"""What was billed: every bill by year, and one with its lines and what was paid on it."""

from collections.abc import Sequence
from datetime import date
from itertools import groupby
from typing import NamedTuple

from flask import Response

from pms.checkouts.transfer_reference import transfer_reference
from pms.foundation.errors import NotFound
from pms.ledger.statement import Movement, Statement, statement
from pms.statements.bills import Bill, bills_of
from pms.statements.due_money import due_money
from pms.statements.entry_lines import entry_lines
from pms.statements.papers_of_reservation import CorrectionPaper, paid_papers
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import page
from pms.surfaces.payment_methods import method_words
from pms.surfaces.portals.portal import reading, today
from pms.surfaces.portals.resident import own


class Reached(NamedTuple):
    """Money that reached a bill on a day, or left it.

    Without a payment it came by a settlement, or was set off with a credit.
    """

    on: date
    method: str | None
    yen: int
    payment_id: str | None
    is_credit: bool
    has_receipt: bool
    may_have_receipt: bool
    corrections: Sequence[CorrectionPaper]


def list_all(reservation_id: str) -> Response:
    """Show every bill, the newest year first."""
    found = statement(reading(), reservation_id, today())
    bills = bills_of(reading(), found)
    years = [
        (year, list(of_year))
        for year, of_year in groupby(bills, key=lambda bill: bill.entry.issued_on.year)
    ]
    return page(
        "portals/resident/invoices/list.html",
        tenancy=own.tenancy(reservation_id),
        years=years,
        money=due_money(found.standings, today()),
    )


def show(reservation_id: str, entry_id: str) -> Response:
    """Show one bill with its lines."""
    found = statement(reading(), reservation_id, today())
    bill = own_bill(found, entry_id)
    return page(
        "portals/resident/invoices/bill.html",
        tenancy=own.tenancy(reservation_id),
        bill=bill,
        lines=entry_lines(reading(), bill.entry.id, today()),
        reached=_reached(found, bill.entry.id),
        transfer=transfer_reference(reading(), reservation_id, bill.entry.id),
    )


def own_bill(found: Statement, entry_id: str) -> Bill:
    """Return a bill of this reservation; raise `NotFound` for any other id."""
    for bill in bills_of(reading(), found):
        if bill.entry.id == entry_id:
            return bill
    raise NotFound("There is no ledger entry '{entry_id}'.", entry_id=entry_id[:60])


def _reached(found: Statement, entry_id: str) -> Sequence[Reached]:
    payments = {payment.id: payment for payment in found.payments}
    papers = {one.payment_id: one for one in paid_papers(reading(), found.reservation_id)}
    reached: list[Reached] = []
    for part in found.allocations:
        if part.entry_id == entry_id:
            payment = payments.get(part.payment_id or "")
            method = method_words(payment.method) if payment else None
            if part.transfer_id is not None:
                method = word(Movement.MOVED)
            paper = papers.get(part.payment_id or "")
            reached.append(
                Reached(
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
    return reached
