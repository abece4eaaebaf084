"""The ledger of a reservation at the end of a day, and each of its bills."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import partial
from typing import NamedTuple, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.checkouts import lookups, money_back
from pms.collections.collections_read import store_number
from pms.foundation.errors import no_such
from pms.foundation.files import Files
from pms.foundation.mail_texts import format_yen
from pms.foundation.phrases import Bilingual
from pms.ledger import overpayments, planned_entries, posting, queries, statement
from pms.ledger.debts import EntryState
from pms.ledger.queries import EntryRecord
from pms.ledger.statement import Movement, PaymentRecord, Statement
from pms.rules.enumerations import EntryKind, ReturnKind
from pms.statements import due_invoices, invoices, reservation_bills
from pms.statements.queries import invoice_of, receipts_of
from pms.statements.reservation_bills import BillLine, NumberedPaper
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import (
    DayField,
    HiddenField,
    Optional,
)
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go, pdf_answer
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.money import payment_method_label
from pms.surfaces.request_scope import clock, database, today


class OnForm(QueryForm):
    """The day at whose end the figures are shown."""

    on = DayField(lazy_gettext("As of"), [Optional()])

    @classmethod
    def from_query(cls, given: MultiDict[str, str], today: date) -> Self:
        """Return the form filled from the query, with today if it has no day."""
        return cls(given) if given.get("on") else cls(formdata=None, on=today)

    def day(self, today: date) -> date:
        """Return the chosen day, or today if it cannot be read."""
        found: date | None = self.on.data if self.validate() else None
        return found or today


class ReachedPart(NamedTuple):
    """The part of a payment that pays one bill."""

    entry_id: str
    label: Bilingual
    yen: int


class ReceivedPayment(NamedTuple):
    """A payment with the bills it pays and its receipt."""

    payment: PaymentRecord
    method: str
    parts: Sequence[ReachedPart]
    receipt: NumberedPaper | None


@dashboard.get("/reservations/<reservation_id>/ledger", roles=OFFICE)
def reservation_ledger(reservation_id: str) -> Response:
    """Show the ledger at the end of the chosen day, by default today."""
    form = OnForm.from_query(request.args, today())
    on = form.day(today())
    found = statement.statement(reading(), reservation_id, on)
    bills = reservation_bills.bills_of(reading(), found)
    return render_reservation_tab(
        reservation_id,
        "dashboard/ledger/ledger.html",
        form=form,
        on=on,
        is_today=on == today(),
        today=today(),
        account=found,
        bills=bills,
        # The shortfall of a bill that an arrears charge collects is open there, not on the bill.
        carried={
            bill.entry.arrears_of_id: bill
            for bill in bills
            if bill.entry.arrears_of_id and bill.standing.open_yen and not bill.standing.is_voided
        },
        payments=received_payments(found),
        failed_payments=lookups.failed_payments_of(reading(), reservation_id),
        money_back=money_back.unseen_money_back(reading(), reservation_id),
        usable_yen=overpayments.usable_overpayment(reading(), reservation_id, on)
        if on == today() and found.deposit.overpaid_yen
        else 0,
    )


@dashboard.post("/reservations/<reservation_id>/overpayments", roles=OFFICE)
def use_overpayments(reservation_id: str) -> Response:
    """Apply overpayments to the open bills."""
    address = url_for("dashboard.reservation_ledger", reservation_id=reservation_id)
    return submitted(
        FlaskForm(),
        act=lambda work: overpayments.use_overpayments(work, reservation_id),
        then=lambda yen: go(
            address,
            message=_("%(yen)s of the overpayment was applied to open bills.", yen=format_yen(yen)),
        ),
        again=lambda: reservation_ledger(reservation_id),
    )


@dashboard.post("/money-back/<money_back_id>/seen", roles=OFFICE)
def mark_money_back_seen(money_back_id: str) -> Response:
    """Record that a dispute or a failed refund needs nothing more."""
    return submitted(
        FlaskForm(),
        act=lambda work: money_back.mark_money_back_seen(work, money_back_id),
        then=lambda reservation_id: go(
            url_for("dashboard.reservation_ledger", reservation_id=reservation_id),
            message=_("Marked as handled."),
        ),
        again=lambda: go(url_for("dashboard.today")),
    )


def received_payments(found: Statement) -> Sequence[ReceivedPayment]:
    """Return the payments of a statement, the latest first, with the bills that each pays."""
    receipts = {
        receipt.payment_id: NumberedPaper(receipt.id, receipt.number)
        for receipt in receipts_of(reading(), found.reservation_id)
    }
    labels = {entry.id: entry.label for entry in found.entries}
    return [
        ReceivedPayment(
            payment,
            payment_method_label(payment.method),
            _list_reached_parts(found, payment.id, labels),
            receipts.get(payment.id),
        )
        for payment in reversed(found.payments)
    ]


def _list_reached_parts(
    found: Statement, payment_id: str, labels: Mapping[str, Bilingual]
) -> Sequence[ReachedPart]:
    sums: dict[str, int] = {}
    for part in found.allocations:
        if part.payment_id == payment_id:
            sums[part.entry_id] = sums.get(part.entry_id, 0) + part.yen
    return [ReachedPart(id_, labels[id_], yen) for id_, yen in sums.items() if yen]


class BillPayment(NamedTuple):
    """Money that paid the bill on a day, or was taken off it.

    Without a method it came from a settlement, or from a credit.
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
    return render_entry(entry_id, FlaskForm())


def render_entry(entry_id: str, form: Form) -> Response:
    """Show one bill with the errors of a form."""
    entry = queries.entry_among_all(reading(), entry_id)
    found = statement.statement(reading(), entry.reservation_id, today())
    bill = bill_of(found, entry)
    others = {other.id: other for other in found.entries}
    payments = {payment.id: payment for payment in found.payments}
    reached: list[BillPayment] = []
    for part in found.allocations:
        if part.entry_id == entry.id:
            payment = payments.get(part.payment_id or "")
            method = payment_method_label(payment.method) if payment else None
            if part.transfer_id is not None:
                method = label_of(Movement.MOVED)
            reference = payment and payment.reference
            is_credit = not (payment or part.settlement_id or part.transfer_id)
            taken = payment and part.opposite_kind(payment.returns)
            reached.append(BillPayment(part.on, method, reference, part.yen, taken, is_credit))
    return render_reservation_tab(
        entry.reservation_id,
        "dashboard/ledger/entry.html",
        tab="reservation_ledger",
        form=form,
        bill=bill,
        reached=reached,
        rounding_yen=planned_entries.rounding_difference_yen(reading(), entry),
        arrears_of=others.get(entry.arrears_of_id or ""),
        collected_by=[other for other in found.entries if other.arrears_of_id == entry.id],
        failed_payments=[
            failed
            for failed in lookups.failed_payments_of(reading(), entry.reservation_id)
            if failed.entry_id == entry.id
        ],
        money_back=[
            trouble
            for trouble in money_back.unseen_money_back(reading(), entry.reservation_id)
            if trouble.entry_id == entry.id
        ],
        is_rent=entry.kind in (EntryKind.MOVE_IN, EntryKind.RENT, EntryKind.STUB),
    )


def bill_of(found: Statement, entry: EntryRecord) -> BillLine:
    """Return an entry as a bill; raise `NotFound` for an entry that voids another."""
    for bill in reservation_bills.bills_of(reading(), found):
        if bill.entry.id == entry.id:
            return bill
    raise no_such("ledger entry", entry.id)


def is_locked(bill: BillLine) -> bool:
    """Whether a bill can no longer be voided on the screen."""
    return bill.state is EntryState.VOIDED or bill.standing.paid_yen != 0


@dashboard.get("/ledger-entries/<entry_id>/voiding", roles=OFFICE)
def check_voiding(entry_id: str) -> Response:
    """Show what voiding would do."""
    return _render_voiding(entry_id, FlaskForm())


@dashboard.post("/ledger-entries/<entry_id>/voiding", roles=OFFICE)
def void_entry(entry_id: str) -> Response:
    """Void the bill."""
    form = FlaskForm()
    reservation_id = queries.entry_record(reading(), entry_id).reservation_id
    return submitted(
        form,
        act=lambda work: posting.void_unpaid_entry(work, entry_id),
        then=lambda _opposite_id: go(
            url_for("dashboard.reservation_ledger", reservation_id=reservation_id),
            message=_("Bill voided."),
        ),
        again=lambda: _render_voiding(entry_id, form),
    )


def _render_voiding(entry_id: str, form: Form) -> Response:
    entry = queries.entry_record(reading(), entry_id)
    bill = bill_of(statement.statement(reading(), entry.reservation_id, today()), entry)
    return render_reservation_tab(
        entry.reservation_id,
        "dashboard/ledger/voiding.html",
        tab="reservation_ledger",
        form=form,
        bill=bill,
        is_locked=is_locked(bill),
    )


class InvoiceSendingForm(FlaskForm):
    """When the invoice had last been sent, as shown on the page; empty for never."""

    sentAt = HiddenField()

    @property
    def seen_sent_at(self) -> datetime | None:
        """The instant that was seen; None for a text that is not an instant."""
        try:
            return datetime.fromisoformat(str(self.sentAt.data))
        except ValueError:
            return None


_AS_SENT = "sent"


@dashboard.post("/ledger-entries/<entry_id>/invoice", roles=OFFICE)
def issue_invoice(entry_id: str) -> Response:
    """Issue the invoice of a bill."""
    form, entry = FlaskForm(), queries.entry_record(reading(), entry_id)
    return submitted(
        form,
        act=lambda work: invoices.issue_invoice(work, entry.id).number,
        then=lambda number: go(
            url_for("dashboard.ledger_entry", entry_id=entry_id),
            message=_("Invoice %(number)s is ready.", number=number),
        ),
        again=lambda: render_entry(entry_id, form),
    )


@dashboard.get("/invoices/<invoice_id>/paper", roles=OFFICE)
def invoice_paper(invoice_id: str) -> Response:
    """Show an invoice as a PDF: as it is now, or as it was last sent."""
    invoice = invoice_of(reading(), invoice_id)
    if request.args.get("as") == _AS_SENT and invoice.sent_file_key:
        kept = Files(database().settings).get(invoice.sent_file_key)
        if kept is not None:
            return pdf_answer(kept, f"{invoice.number}.pdf")
    number_of = partial(store_number, clock())
    paper = invoices.invoice_pdf(reading(), invoice.id, number_of=number_of)
    return pdf_answer(paper, f"{invoice.number}.pdf")


@dashboard.get("/invoices/<invoice_id>/sending", roles=OFFICE)
def check_sending(invoice_id: str) -> Response:
    """Show the address the invoice would be mailed to."""
    invoice = invoice_of(reading(), invoice_id)
    sent_at = invoice.sent_at.isoformat() if invoice.sent_at else ""
    return _render_sending(invoice_id, InvoiceSendingForm(sentAt=sent_at))


@dashboard.post("/invoices/<invoice_id>/sending", roles=OFFICE)
def send_invoice(invoice_id: str) -> Response:
    """Mail the invoice."""
    form = InvoiceSendingForm()
    entry_id = invoice_of(reading(), invoice_id).entry_id
    return submitted(
        form,
        act=lambda work: (
            due_invoices.resend_invoice(
                work,
                invoice_id=invoice_id,
                files=Files(database().settings),
                seen_sent_at=form.seen_sent_at,
                number_of=partial(store_number, work.clock),
            ).number
        ),
        then=lambda number: go(
            url_for("dashboard.ledger_entry", entry_id=entry_id),
            message=_("Invoice %(number)s is being sent by email.", number=number),
        ),
        again=lambda: _render_sending(invoice_id, form),
    )


def _render_sending(invoice_id: str, form: InvoiceSendingForm) -> Response:
    paper = invoices.invoice_paper(reading(), invoice_id)
    return render_reservation_tab(
        paper.entry.reservation_id,
        "dashboard/ledger/sending.html",
        tab="reservation_ledger",
        form=form,
        paper=paper,
        total_yen=invoices.total_yen(paper.lines),
    )
