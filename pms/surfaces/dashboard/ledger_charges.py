"""Posting charges: a fee, a charge on an overdue bill, and a credit with its preview."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms.widgets import HiddenInput

from pms.foundation.errors import Refused
from pms.foundation.mail_texts import format_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger import charges, payment_plan, planned_entries, queries, statement
from pms.ledger.charges import ChargeableFee
from pms.ledger.payment_plan import PlannedPart
from pms.ledger.queries import EntryRecord
from pms.ledger.statement import Statement
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.statements.reservation_bills import BillLine
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.ledger import bill_of
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    Optional,
    Printable,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go, is_part, page_or_block
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, today


class ArrearsChargeForm(FlaskForm):
    """A new bill for the unpaid part of an old one."""

    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    dueOn = DayField(lazy_gettext("Due on"), [Required()])
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())


def tax_choices() -> list[tuple[str, str]]:
    """Return the classes of tax of a charge; the first is that of its category."""
    return [("", _("As usual for the category")), *choices(TaxTreatment)]


def refuse_past_due(due_on: date | None, today: date) -> None:
    """Raise `Refused` for a past due day, which would otherwise silently become today."""
    if due_on is not None and due_on < today:
        raise Refused(
            "dueOn: {due_on} is in the past. A charge of today is due on {today} at the earliest.",
            due_on=due_on,
            today=today,
        )


@dashboard.get("/ledger-entries/<entry_id>/arrears-charge", roles=OFFICE)
def new_arrears_charge(entry_id: str) -> Response:
    """Show the form, filled with the unpaid amount."""
    entry, bill = _find_bill(entry_id)
    seen = planned_entries.ledger_mark(reading(), entry.reservation_id)
    given: dict[str, Any] = {"amountYen": bill.standing.unpaid_yen or None, "dueOn": today()}
    return _render_arrears_charge(entry, bill, ArrearsChargeForm(seen=seen, **given))


@dashboard.post("/ledger-entries/<entry_id>/arrears-charge", roles=OFFICE)
def post_arrears_charge(entry_id: str) -> Response:
    """Post the arrears charge."""
    entry, bill = _find_bill(entry_id)
    form = ArrearsChargeForm()

    def act(work: Work) -> str:
        refuse_past_due(form.dueOn.data, today())
        planned_entries.hold_ledger(work.session, entry.reservation_id, form.seen.data)
        return charges.post_arrears_charge(
            work, entry_id=entry_id, amount_yen=form.amountYen.data, due_on=form.dueOn.data
        )

    return submitted(
        form,
        act=act,
        then=lambda charge_id: go(
            url_for("dashboard.ledger_entry", entry_id=charge_id),
            message=_("Arrears charge of %(yen)s posted.", yen=format_yen(form.amountYen.data)),
        ),
        again=lambda: _render_arrears_charge(entry, bill, form),
    )


def _find_bill(entry_id: str) -> tuple[EntryRecord, BillLine]:
    entry = queries.entry_record(reading(), entry_id)
    return entry, bill_of(statement.statement(reading(), entry.reservation_id, today()), entry)


def _render_arrears_charge(entry: EntryRecord, bill: BillLine, form: ArrearsChargeForm) -> Response:
    return render_reservation_tab(
        entry.reservation_id,
        "dashboard/ledger/arrears_charge.html",
        tab="reservation_ledger",
        form=form,
        bill=bill,
        today=today(),
    )


class ChargeForm(FlaskForm):
    """One item that is billed once."""

    feeCode = ChoiceField(lazy_gettext("Fee"), [Optional()])
    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    labelJa = TextField(lazy_gettext("Description in Japanese"), [Required(), Printable()])
    labelEn = TextField(lazy_gettext("Description in English"), [Optional(), Printable()])
    category = ChoiceField(lazy_gettext("Category"), [Required()])
    taxTreatment = ChoiceField(lazy_gettext("Tax"), [Optional()])
    dueOn = DayField(lazy_gettext("Due on"), [Required()])
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())

    @classmethod
    def of(
        cls, fees: Sequence[ChargeableFee], typed: MultiDict[str, str] | None, **given: Any
    ) -> Self:
        """Return the form with the one-time fees as choices."""
        form = cls(typed, **given)
        form.feeCode.choices = [("", _("Not a listed fee")), *map(_fee_option, fees)]
        form.category.choices = choices(FeeCategory)
        form.taxTreatment.choices = tax_choices()
        return form

    @property
    def category_words(self) -> str:
        """The label of the chosen category."""
        return next((text for word, text in choices(FeeCategory) if word == self.category.data), "")

    @property
    def label(self) -> Bilingual:
        """What the charge is for, in the languages that were given."""
        return Bilingual(self.labelJa.data, self.labelEn.data)


def filled_from(fee: ChargeableFee) -> dict[str, Any]:
    """Return the values of a fee for the form; all but its category can be changed."""
    return {
        "feeCode": fee.code,
        "amountYen": fee.yen,
        "labelJa": fee.label.ja,
        "labelEn": fee.label.en,
        "category": fee.category.value,
        "taxTreatment": fee.tax_treatment.value,
    }


def _fee_option(fee: ChargeableFee) -> tuple[str, str]:
    label = fee.label.in_language(chosen_language()) or fee.code
    return fee.code, label if fee.yen is None else f"{label} ({format_yen(fee.yen)})"


_CHARGE_PAGE = "dashboard/ledger/charge.html"


@dashboard.get("/reservations/<reservation_id>/charges/new", roles=OFFICE)
def new_charge(reservation_id: str) -> Response:
    """Show the form, filled from the fee of the query; htmx requests only the fields."""
    fees = charges.chargeable_fees(reading(), clock(), reservation_id)
    asked = request.args.get("feeCode")
    chosen = next((fee for fee in fees if fee.code == asked), None)
    usual = {"category": FeeCategory.OTHER.value}
    given = {**usual, **(filled_from(chosen) if chosen else {})}
    form = ChargeForm.of(fees, None, **given, dueOn=today())
    form.seen.data = planned_entries.ledger_mark(reading(), reservation_id)
    if is_part():
        return page_or_block(_CHARGE_PAGE, "filled", form=form, today=today())
    return _render_charge(reservation_id, form)


@dashboard.post("/reservations/<reservation_id>/charges", roles=OFFICE)
def post_charge(reservation_id: str) -> Response:
    """Post the typed charge."""
    fees = charges.chargeable_fees(reading(), clock(), reservation_id)
    form = ChargeForm.of(fees, request.form)

    def act(work: Work) -> str:
        refuse_past_due(form.dueOn.data, today())
        planned_entries.hold_ledger(work.session, reservation_id, form.seen.data)
        # The category of the fee, whatever was typed; without a fee the chosen one.
        own = (fee.category for fee in fees if fee.code == form.feeCode.data)
        return charges.post_charge(
            work,
            reservation_id=reservation_id,
            amount_yen=form.amountYen.data,
            label=form.label,
            category=next(own, FeeCategory(form.category.data)),
            tax_treatment=TaxTreatment(form.taxTreatment.data) if form.taxTreatment.data else None,
            due_on=form.dueOn.data,
            item=form.feeCode.data or "charge",
        )

    return submitted(
        form,
        act=act,
        then=lambda entry_id: go(
            url_for("dashboard.ledger_entry", entry_id=entry_id),
            message=_("Charge of %(yen)s posted.", yen=format_yen(form.amountYen.data)),
        ),
        again=lambda: _render_charge(reservation_id, form),
    )


def _render_charge(reservation_id: str, form: ChargeForm) -> Response:
    return render_reservation_tab(
        reservation_id, _CHARGE_PAGE, tab="reservation_ledger", form=form, today=today()
    )


class CreditForm(QueryForm):
    """An amount the resident need not pay; it is typed without a sign."""

    amountYen = YenField(lazy_gettext("Amount (yen)"), [Required()], minimum_yen=1)
    entryId = ChoiceField(lazy_gettext("Set off against"), [Optional()])
    labelJa = TextField(lazy_gettext("Description in Japanese"), [Required(), Printable()])
    labelEn = TextField(lazy_gettext("Description in English"), [Optional(), Printable()])
    category = ChoiceField(lazy_gettext("Category"), [Required()])
    taxTreatment = ChoiceField(lazy_gettext("Tax"), [Optional()])
    seen = WholeNumberField(validators=[Required()], widget=HiddenInput())

    @classmethod
    def of(cls, found: Statement, typed: MultiDict[str, str] | None, **given: Any) -> Self:
        """Return the form with the unpaid bills of a ledger as choices."""
        form = cls(typed, **given)
        unpaid = sorted((s for s in found.standings if s.unpaid_yen), key=lambda s: s.due_on)
        labels = {entry.id: entry.label.in_language(chosen_language()) for entry in found.entries}
        left = {s.id: _("open %(yen)s", yen=format_yen(s.unpaid_yen)) for s in unpaid}
        form.entryId.choices = [
            ("", _("Unpaid bills, oldest first")),
            *((id_, f"{labels[id_]} ({words})") for id_, words in left.items()),
        ]
        form.category.choices = [
            choice for choice in choices(FeeCategory) if choice[0] != FeeCategory.DEPOSIT
        ]
        form.taxTreatment.choices = tax_choices()
        return form


_CREDIT_PAGE = "dashboard/ledger/credit.html"


@dashboard.get("/reservations/<reservation_id>/credits/new", roles=OFFICE)
def new_credit(reservation_id: str) -> Response:
    """Show the form; htmx requests only the preview of the bills it would reduce."""
    found = statement.statement(reading(), reservation_id, today())
    usual = {"category": FeeCategory.RENT.value}
    asked = request.args if "amountYen" in request.args else None
    form = CreditForm.of(found, asked, **usual)
    form.seen.data = planned_entries.ledger_mark(reading(), reservation_id)
    if is_part():
        form.validate()
        return page_or_block(
            _CREDIT_PAGE, "plan", form=form, **_preview_credit_facts(reservation_id, form)
        )
    return _render_credit(reservation_id, form)


@dashboard.post("/reservations/<reservation_id>/credits", roles=OFFICE)
def post_credit(reservation_id: str) -> Response:
    """Post the typed credit."""
    form = CreditForm.of(statement.statement(reading(), reservation_id, today()), request.form)

    def act(work: Work) -> str:
        planned_entries.hold_ledger(work.session, reservation_id, form.seen.data)
        return charges.post_credit(
            work,
            reservation_id=reservation_id,
            amount_yen=form.amountYen.data,
            label=Bilingual(form.labelJa.data, form.labelEn.data),
            category=FeeCategory(form.category.data),
            tax_treatment=TaxTreatment(form.taxTreatment.data) if form.taxTreatment.data else None,
            entry_id=form.entryId.data or None,
        )

    return submitted(
        form,
        act=act,
        then=lambda entry_id: go(
            url_for("dashboard.ledger_entry", entry_id=entry_id),
            message=_("Credit of %(yen)s posted.", yen=format_yen(form.amountYen.data)),
        ),
        again=lambda: _render_credit(reservation_id, form),
    )


def _render_credit(reservation_id: str, form: CreditForm) -> Response:
    return render_reservation_tab(
        reservation_id,
        _CREDIT_PAGE,
        tab="reservation_ledger",
        form=form,
        preview_at=url_for("dashboard.new_credit", reservation_id=reservation_id),
        **_preview_credit_facts(reservation_id, form),
    )


def _preview_credit_facts(reservation_id: str, form: CreditForm) -> dict[str, Any]:
    """Return the bills it would reduce and what would be left; no bills without an amount."""
    parts: tuple[PlannedPart, ...] = ()
    amount_yen = form.amountYen.data or 0
    if amount_yen:
        try:
            parts = payment_plan.preview_credit(
                reading(),
                today(),
                reservation_id=reservation_id,
                amount_yen=amount_yen,
                entry_id=form.entryId.data or None,
            )
        except Refused:
            # The refusal is shown when the form is sent.
            amount_yen = 0
    return {"plan": parts, "left_yen": amount_yen - sum(part.yen for part in parts)}
