"""One bill: its lines, what it comes to, what was paid, and what can be done with it."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from flask import Response
from wtforms import Form

from pms.checkouts.provider_payments import troubled_payments_of
from pms.foundation.errors import NotFound
from pms.ledger.entry_states import EntryState
from pms.ledger.queries import EntryRecord, entry_record
from pms.ledger.statement import (
    AllocationRecord,
    Movement,
    PaymentRecord,
    Statement,
    statement,
)
from pms.ledger.whole_months import rounding_difference_yen
from pms.rules.enumerations import EntryKind, ReturnKind
from pms.statements.bills import Bill, bills_of
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.enumeration_words import word
from pms.surfaces.payment_methods import method_words


class Reached(NamedTuple):
    """Money that reached the bill on a day, or left it.

    Without a way it came by a settlement, or was set off with a credit.
    """

    on: date
    method: str | None
    reference: str | None
    yen: int
    taken_back: ReturnKind | None
    is_credit: bool


@dashboard.get("/ledger-entries/<entry_id>", roles=OFFICE)
def ledger_entry(entry_id: str) -> Response:
    """Show one bill."""
    return shown(entry_id, Form())


def shown(entry_id: str, form: Form) -> Response:
    """Show one bill with what a form refused."""
    entry = entry_record(reading(), entry_id)
    found = statement(reading(), entry.reservation_id, today())
    bill = bill_of(found, entry)
    others = {one.id: one for one in found.entries}
    return framed(
        entry.reservation_id,
        "dashboard/ledger/entry.html",
        tab="reservation_ledger",
        form=form,
        bill=bill,
        reached=_reached(found, entry.id),
        rounding_yen=rounding_difference_yen(reading(), entry),
        arrears_of=others.get(entry.arrears_of_id or ""),
        collected_by=[one for one in found.entries if one.arrears_of_id == entry.id],
        troubles=[
            one
            for one in troubled_payments_of(reading(), entry.reservation_id)
            if one.entry_id == entry.id
        ],
        is_rent=entry.kind in (EntryKind.MOVE_IN, EntryKind.RENT, EntryKind.STUB),
    )


def bill_of(found: Statement, entry: EntryRecord) -> Bill:
    """Return an entry as a bill; what voids another is no bill of its own."""
    for bill in bills_of(reading(), found):
        if bill.entry.id == entry.id:
            return bill
    raise NotFound("There is no ledger entry '{entry_id}'.", entry_id=entry.id)


def is_locked(bill: Bill) -> bool:
    """Whether a bill can no longer be voided on the screen."""
    return bill.state is EntryState.VOIDED or bill.standing.paid_yen != 0


def _reached(found: Statement, entry_id: str) -> Sequence[Reached]:
    payments = {payment.id: payment for payment in found.payments}
    reached: list[Reached] = []
    for part in found.allocations:
        if part.entry_id == entry_id:
            payment = payments.get(part.payment_id or "")
            method = method_words(payment.method) if payment else None
            if part.transfer_id is not None:
                method = word(Movement.MOVED)
            reference = payment and payment.reference
            is_credit = not (payment or part.settlement_id or part.transfer_id)
            taken = _taken_back(part, payment)
            reached.append(Reached(part.on, method, reference, part.yen, taken, is_credit))
    return reached


def _taken_back(part: AllocationRecord, payment: PaymentRecord | None) -> ReturnKind | None:
    """Why yen of a payment left the bill; None for what arrived, or moved to another bill."""
    if payment is None or part.yen > 0:
        return None
    return next((one.kind for one in payment.returns if one.on == part.on), None)
