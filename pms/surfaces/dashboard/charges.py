"""One charge for many tenancies: choosing it, checking whom it reaches, and posting it as a run."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext

from pms.foundation.ids import new_id
from pms.foundation.mail_texts import format_yen
from pms.foundation.phrases import Bilingual
from pms.ledger import charge_plans
from pms.ledger.charge_plans import ManyCharge
from pms.ledger.many_charges import OneTimeFee, ask_many_charges, fees_for_many
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.ledger_charges import tax_choices
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    HiddenField,
    ManyField,
    Optional,
    PickField,
    Printable,
    Required,
    TextField,
    YenField,
)
from pms.surfaces.forms import QueryForm, asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today

_NEVER: Final = FeeCategory.RESERVATION_FEE
_OWN: Final = "own"
_OWN_ITEM: Final = "charge"


class ChargesForm(QueryForm):
    """The charge: a fee of the catalogue, or a label and an amount that are typed."""

    feeCode = PickField(lazy_gettext("Charge"), [Required()])
    labelJa = TextField(lazy_gettext("Description in Japanese"), [Optional(), Printable()])
    labelEn = TextField(lazy_gettext("Description in English"), [Optional(), Printable()])
    amountYen = YenField(lazy_gettext("Amount each (yen)"), [Optional()], minimum_yen=1)
    category = ChoiceField(lazy_gettext("Category"), [Optional()])
    taxTreatment = ChoiceField(lazy_gettext("Tax"), [Optional()])
    dueOn = DayField(lazy_gettext("Due on"), [Required()])
    buildingIds = ManyField(lazy_gettext("Buildings"), [Optional()])
    chargeId = HiddenField()

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self._fees: dict[str, OneTimeFee] = {}

    def offer(self, fees: Sequence[OneTimeFee]) -> None:
        """Fill the lists of fees and buildings."""
        self._fees = {fee.code: fee for fee in fees}
        named = [(fee.code, _fee_option(fee)) for fee in fees]
        self.feeCode.choices = [*named, (_OWN, _("Other charge"))]
        self.category.choices = [choice for choice in choices(FeeCategory) if choice[0] != _NEVER]
        self.taxTreatment.choices = tax_choices()
        self.buildingIds.choices = building_choices()

    def validate(self, extra_validators: Any = None) -> bool:
        """Require a label and an amount where no fee of the catalogue is chosen."""
        is_sound: bool = super().validate(extra_validators)
        if self.feeCode.data != _OWN:
            return is_sound
        for field in (self.labelJa, self.amountYen):
            if not field.data and not field.errors:
                field.errors = [_("Please fill this in.")]
        return is_sound and not (self.labelJa.errors or self.amountYen.errors)

    def is_past(self, today: date) -> bool:
        """Whether the due day is over; if so, add the error to its field."""
        due_on = self.dueOn.data
        if due_on is None or due_on >= today:
            return False
        self.dueOn.errors = [_("This day is in the past. The earliest due date is today.")]
        return True

    @property
    def charge(self) -> ManyCharge:
        """The charge that a valid form describes."""
        fee = self._fees.get(self.feeCode.data or "") or self._own_fee
        return ManyCharge(
            item=fee.code,
            label=fee.label,
            amount_yen=fee.amount_yen,
            percent=fee.percent,
            category=fee.category,
            tax_treatment=fee.tax_treatment,
            due_on=self.dueOn.data,
            building_ids=tuple(self.buildingIds.data or ()),
        )

    @property
    def _own_fee(self) -> OneTimeFee:
        label = self.labelJa.data or "", self.labelEn.data or self.labelJa.data or ""
        category = FeeCategory(self.category.data or FeeCategory.OTHER)
        tax = TaxTreatment(self.taxTreatment.data) if self.taxTreatment.data else None
        return OneTimeFee(_OWN_ITEM, Bilingual(*label), self.amountYen.data, None, category, tax)


def _fee_option(fee: OneTimeFee) -> str:
    label = fee.label.in_language(chosen_language()) or fee.code
    figure = f"{fee.percent}%" if fee.percent else format_yen(fee.amount_yen or 0)
    return f"{label} ({figure})"


_FORM: Final = "dashboard/charges/form.html"
_CHECK: Final = "dashboard/charges/check.html"


@dashboard.get("/billing/charges", roles=OFFICE, is_of_all_buildings=True)
def many_charges() -> Response:
    """Show the form; the due day is today by default."""
    usual = {"category": FeeCategory.OTHER}
    return page(_FORM, form=_build_form(None, dueOn=today(), **usual), today=today())


@dashboard.get("/billing/charges/check", roles=OFFICE, is_of_all_buildings=True)
def check_charges() -> Response:
    """Show whom the charge reaches, the total, and who is left out for which reason."""
    if not request.args:
        return go(url_for("dashboard.many_charges"))
    form = _build_form(request.args)
    if not form.validate() or form.is_past(today()):
        return mark_unaccepted(page(_FORM, form=form, today=today()))
    form.chargeId.data = form.chargeId.data or new_id()
    return _check_charge(form)


@dashboard.post("/billing/charges/runs", roles=OFFICE, is_of_all_buildings=True)
def start_charges() -> Response:
    """Queue the run; sending the same check page twice leads to the same run."""
    form = _build_form(request.form)
    return submitted(
        form,
        act=lambda work: (
            ask_many_charges(work, charge_id=form.chargeId.data or "", charge=form.charge).id
        ),
        then=lambda run_id: go(
            url_for("dashboard.run", run_id=run_id), message=_("The charges are being created.")
        ),
        again=lambda: _answer_refused(form),
    )


def _build_form(given: Any, **usual: Any) -> ChargesForm:
    form = ChargesForm(given, data=usual)
    form.offer(fees_for_many(reading()))
    return form


def _answer_refused(form: ChargesForm) -> Response:
    # Errors of fields lead back to the form; other refusals are shown on the check page.
    if any(name is not None for name in form.errors):
        return page(_FORM, form=form, today=today())
    return _check_charge(form)


def _check_charge(form: ChargesForm) -> Response:
    charge, paging = form.charge, asked_paging()
    plan = charge_plans.plan_charges(reading(), today(), charge)
    return page(
        _CHECK,
        form=form,
        charge=charge,
        plan=plan,
        shown=plan.charged[paging.offset : paging.offset + paging.limit],
        paging=paging,
    )
