"""Payments: recording, receipts, reversals and money that was sent back."""

from typing import Any, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms.widgets import HiddenInput

from pms.foundation.errors import Refused
from pms.foundation.mail_texts import format_yen
from pms.foundation.work import Work
from pms.ledger import payment_plan, payments, planned_entries, statement
from pms.ledger.payment_plan import PlannedPart
from pms.ledger.statement import Statement
from pms.rules.ledger_entries import EntryBalance
from pms.statements import queries, receipts
from pms.statements.receipt_paper import correction_pdf, receipt_pdf
from pms.statements.receipts import TakenBack
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.ledger import received_payments
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    FlagField,
    Optional,
    Printable,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go, is_part, page_or_block, pdf_answer
from pms.surfaces.labels.money import PAYMENT_METHODS
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today


class ReversalForm(FlaskForm):
    """Why a payment is wrong."""

    reason = TextField(
        lazy_gettext("Reason for the reversal"),
        [Required(), Printable()],
        description=lazy_gettext("Shown in the history and on the notice that voids the receipt."),
    )
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())


class ReturnForm(FlaskForm):
    """Money that was sent back to the payer."""

    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    returnedOn = DayField(lazy_gettext("Refunded on"), [Required()])
    returnReason = TextField(lazy_gettext("Reason for the refund"), [Required(), Printable()])
    reference = TextField(
        lazy_gettext("Reference"),
        [Optional()],
        description=lazy_gettext("Reference from the bank or provider. Each can be recorded once."),
    )
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())


@dashboard.get("/payments/<payment_id>", roles=OFFICE)
def payment(payment_id: str) -> Response:
    """Show a payment with the forms to reverse it or to send money back."""
    return _render_payment(payment_id)


@dashboard.post("/payments/<payment_id>/reversal", roles=OFFICE)
def reverse_payment(payment_id: str) -> Response:
    """Reverse a wrong payment."""
    form = ReversalForm()

    def act(work: Work) -> TakenBack:
        planned_entries.hold_ledger(
            work.session, payments.reservation_of_payment(work.session, payment_id), form.seen.data
        )
        return receipts.reverse_payment(work, payment_id=payment_id, reason=form.reason.data or "")

    return submitted(
        form,
        act=act,
        then=lambda done: _go_to_payment(payment_id, _("Payment reversed."), done),
        again=lambda: _render_payment(payment_id, reversal_form=form),
    )


@dashboard.post("/payments/<payment_id>/return", roles=OFFICE)
def send_payment_back(payment_id: str) -> Response:
    """Record money that was sent back to the payer."""
    form = ReturnForm()

    def act(work: Work) -> TakenBack:
        planned_entries.hold_ledger(
            work.session, payments.reservation_of_payment(work.session, payment_id), form.seen.data
        )
        return receipts.send_payment_back(
            work,
            payment_id=payment_id,
            amount_yen=form.amountYen.data,
            returned_on=form.returnedOn.data,
            reason=form.returnReason.data or "",
            reference=form.reference.data,
        )

    def then(done: TakenBack) -> Response:
        message = _("Refund of %(yen)s recorded.", yen=format_yen(form.amountYen.data))
        return _go_to_payment(payment_id, message, done)

    return submitted(
        form, act=act, then=then, again=lambda: _render_payment(payment_id, return_form=form)
    )


@dashboard.get("/receipt-corrections/<correction_id>/paper", roles=OFFICE)
def receipt_correction_paper(correction_id: str) -> Response:
    """Show the document that voids or corrects a receipt as a PDF."""
    found = queries.correction_of(reading(), correction_id)
    return pdf_answer(correction_pdf(reading(), found.id), f"{found.number}.pdf")


def _go_to_payment(payment_id: str, message: str, done: TakenBack) -> Response:
    if done.correction_number:
        paper_message = _(
            "Document %(number)s states that the receipt is void.", number=done.correction_number
        )
        message = f"{message} {paper_message}"
    return go(url_for("dashboard.payment", payment_id=payment_id), message=message)


def _render_payment(
    payment_id: str,
    reversal_form: ReversalForm | None = None,
    return_form: ReturnForm | None = None,
) -> Response:
    reservation_id = payments.reservation_of_payment(reading(), payment_id)
    found = statement.statement(reading(), reservation_id, today())
    received = next(
        receipt for receipt in received_payments(found) if receipt.payment.id == payment_id
    )
    seen = planned_entries.ledger_mark(reading(), reservation_id)
    given: dict[str, Any] = {"amountYen": received.payment.left_yen, "returnedOn": today()}
    return render_reservation_tab(
        reservation_id,
        "dashboard/ledger/taking_back.html",
        tab="reservation_ledger",
        received=received,
        today=today(),
        papers={each.return_id: each for each in queries.corrections_of(reading(), reservation_id)},
        reversal_form=reversal_form or ReversalForm(formdata=None, seen=seen),
        return_form=return_form or ReturnForm(formdata=None, seen=seen, **given),
    )


_OLDEST_FIRST = ("", lazy_gettext("Open bills, oldest first"))


class PaymentForm(QueryForm):
    """Money that arrived; without a chosen bill it pays the open ones, oldest first."""

    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    receivedOn = DayField(lazy_gettext("Received on"), [Required()])
    entryId = ChoiceField(lazy_gettext("Applied to"), [Optional()])
    method = ChoiceField(lazy_gettext("Payment method"), choices=list(PAYMENT_METHODS.items()))
    reference = TextField(
        lazy_gettext("Reference"),
        [Optional()],
        description=lazy_gettext("Reference from the bank or provider. Each can be recorded once."),
    )
    note = TextField(lazy_gettext("Note"), [Optional()])
    dayIsMeant = FlagField(lazy_gettext("The date is right"))
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())

    @classmethod
    def of(cls, found: Statement, typed: MultiDict[str, str] | None, **given: Any) -> Self:
        """Return the form with the bills of a ledger as choices, the open ones first."""
        form = cls(typed, **given)
        standings = [
            standing
            for standing in found.standings
            if not (standing.is_voided or standing.is_credit)
        ]
        labels = {entry.id: entry.label.in_language(chosen_language()) for entry in found.entries}
        in_order = sorted(
            standings, key=lambda standing: (not standing.open_yen, standing.due_on, standing.id)
        )
        form.entryId.choices = [
            _OLDEST_FIRST,
            *((bill.id, f"{labels[bill.id]} ({_describe_open_yen(bill)})") for bill in in_order),
        ]
        return form


def _describe_open_yen(standing: EntryBalance) -> str:
    return str(_("%(yen)s unpaid", yen=format_yen(standing.open_yen)))


_PAGE = "dashboard/ledger/payment.html"


@dashboard.get("/reservations/<reservation_id>/payments/new", roles=OFFICE)
def new_payment(reservation_id: str) -> Response:
    """Show the form, filled with the open amount; htmx requests only the preview."""
    found = statement.statement(reading(), reservation_id, today())
    chosen = request.args.get("entryId", "")
    open_yen = sum(
        bill.open_yen
        for bill in found.standings
        if not bill.is_voided and (not chosen or bill.id == chosen)
    )
    usual = {"receivedOn": today(), "entryId": chosen, "amountYen": open_yen or None}
    form = PaymentForm.of(
        found,
        request.args if "amountYen" in request.args else None,
        **usual,
        method="bank_transfer",
    )
    form.seen.data = planned_entries.ledger_mark(reading(), reservation_id)
    if is_part():
        form.validate()
        return page_or_block(
            _PAGE, "plan", form=form, plan=_preview_payment_parts(reservation_id, form)
        )
    return _render_new_payment(found, form)


@dashboard.post("/reservations/<reservation_id>/payments", roles=OFFICE)
def record_payment(reservation_id: str) -> Response:
    """Record the payment and report which bills it paid."""
    found = statement.statement(reading(), reservation_id, today())
    form = PaymentForm.of(found, request.form)
    plan = _preview_payment_parts(reservation_id, form) if form.validate() else ()

    def act(work: Work) -> str:
        planned_entries.hold_ledger(work.session, reservation_id, form.seen.data)
        payment_plan.check_typed_day(
            today(), form.receivedOn.data, is_meant=bool(form.dayIsMeant.data)
        )
        method = form.method.data or "bank_transfer"
        return payment_plan.record_payment(
            work,
            reservation_id=reservation_id,
            amount_yen=form.amountYen.data,
            received_on=form.receivedOn.data,
            entry_id=form.entryId.data,
            method=method,
            reference=payment_plan.check_typed_reference(work.session, method, form.reference.data),
            note=form.note.data,
        )

    return submitted(
        form,
        act=act,
        then=lambda _id: go(
            url_for("dashboard.reservation_ledger", reservation_id=reservation_id),
            message=_payment_message(form.amountYen.data, plan),
        ),
        again=lambda: _render_new_payment(found, form),
    )


@dashboard.post("/payments/<payment_id>/receipt", roles=OFFICE)
def issue_receipt(payment_id: str) -> Response:
    """Issue the numbered receipt of a payment."""
    reservation_id = payments.reservation_of_payment(reading(), payment_id)
    back = url_for("dashboard.reservation_ledger", reservation_id=reservation_id)
    return submitted(
        FlaskForm(),
        act=lambda work: receipts.issue_receipt(work, payment_id).number,
        then=lambda number: go(back, message=_("Receipt %(number)s is ready.", number=number)),
        again=lambda: go(back),
    )


@dashboard.get("/receipts/<receipt_id>/paper", roles=OFFICE)
def receipt_paper(receipt_id: str) -> Response:
    """Show a receipt as a PDF."""
    receipt = queries.receipt_of(reading(), receipt_id)
    return pdf_answer(receipt_pdf(reading(), receipt.id), f"{receipt.number}.pdf")


def _render_new_payment(found: Statement, form: PaymentForm) -> Response:
    return render_reservation_tab(
        found.reservation_id,
        _PAGE,
        tab="reservation_ledger",
        form=form,
        today=today(),
        plan=_preview_payment_parts(found.reservation_id, form),
        preview_at=url_for("dashboard.new_payment", reservation_id=found.reservation_id),
    )


def _preview_payment_parts(reservation_id: str, form: PaymentForm) -> tuple[PlannedPart, ...]:
    if not form.amountYen.data:
        return ()
    try:
        return payment_plan.preview_payment(
            reading(),
            today(),
            reservation_id=reservation_id,
            amount_yen=form.amountYen.data,
            entry_id=form.entryId.data,
        )
    except Refused:
        # The refusal is shown when the form is sent.
        return ()


def _payment_message(amount_yen: int, plan: tuple[PlannedPart, ...]) -> str:
    message = str(_("Payment of %(yen)s recorded.", yen=format_yen(amount_yen)))
    overpaid_yen = sum(part.overpaid_yen for part in plan)
    if not overpaid_yen:
        return message
    overpaid = _("%(yen)s of it is overpaid.", yen=format_yen(overpaid_yen))
    return f"{message} {overpaid}"
