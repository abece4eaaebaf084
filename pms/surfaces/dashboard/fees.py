"""The fee catalogue of the workspace, and the monthly fees of a unit."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.catalogue import records, units
from pms.catalogue.records import UnitFeeRecord
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.pricing import prices
from pms.rules.enumerations import FeeCategory, FeeTiming, RecurringItem, TaxTreatment
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import (
    ChoiceField,
    Either,
    ManyField,
    Optional,
    PercentField,
    PickField,
    Printable,
    Required,
    TextField,
    YenField,
)
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.reader_choice import chosen_language
from pms.workspaces import fees as workspaces_fees
from pms.workspaces.fees import PresetFee, WrittenFee


class FeeCodeForm(FlaskForm):
    """The code of a new fee; fields are listed in the order in which they are declared."""

    code = TextField(lazy_gettext("Code"), [Required()])


class CatalogueFeeForm(FlaskForm):
    """A fee of the catalogue; its code is not among the fields."""

    labelJa = TextField(lazy_gettext("Label in Japanese"), [Either(), Printable()])
    labelEn = TextField(lazy_gettext("Label in English"), [Either(), Printable()])
    category = ChoiceField(lazy_gettext("Profit-and-loss category"), [Required()])
    timing = PickField(lazy_gettext("Charged"), [Required()], default=FeeTiming.MONTHLY.value)
    amountYen = YenField(lazy_gettext("Amount (yen)"), [Either()])
    percent = PercentField(lazy_gettext("Or percent"), [Either()])
    taxTreatment = PickField(lazy_gettext("Tax"), [Required()], default=TaxTreatment.EXEMPT.value)

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.category.choices = choices(FeeCategory)
        self.timing.choices = choices(FeeTiming)
        self.taxTreatment.choices = choices(TaxTreatment)

    @classmethod
    def of(cls, fee: WrittenFee) -> Self:
        """Return the form filled with a fee."""
        return cls(
            formdata=None,
            labelJa=fee.label_ja,
            labelEn=fee.label_en,
            category=fee.category.value,
            timing=(FeeTiming.MONTHLY if fee.is_monthly else FeeTiming.ONE_TIME).value,
            amountYen=fee.amount_yen,
            percent=fee.percent,
            taxTreatment=fee.tax_treatment.value,
        )

    @property
    def written_fee(self) -> WrittenFee:
        """The typed fee as the catalogue takes it."""
        return WrittenFee(
            self.labelJa.data,
            self.labelEn.data,
            FeeCategory(self.category.data),
            self.timing.data == FeeTiming.MONTHLY,
            self.amountYen.data,
            self.percent.data,
            TaxTreatment(self.taxTreatment.data),
        )


class NewFeeForm(FeeCodeForm, CatalogueFeeForm):
    """A new fee, with the code it keeps for good."""


_COLUMNS: Final = MappingProxyType({"timing": "is_monthly"})


@dashboard.get("/fees", roles=OFFICE)
def fees() -> Response:
    """Show the catalogue, and how many units and prices use each fee."""
    return page(
        "dashboard/fees/index.html",
        fees=workspaces_fees.fee_records(reading()),
        uses=prices.fee_uses(reading()),
        classed_items=frozenset(RecurringItem),
    )


@dashboard.get("/fees/new", roles=OPERATOR)
def new_fee() -> Response:
    """Show the form of a new fee."""
    return page("dashboard/fees/new.html", form=NewFeeForm())


@dashboard.post("/fees", roles=OPERATOR)
def add_fee() -> Response:
    """Store a fee."""
    form = NewFeeForm()
    return submitted(
        form,
        act=lambda work: workspaces_fees.add_fee(
            work, code=form.code.data, written=form.written_fee
        ),
        then=lambda _id: go(url_for("dashboard.fees"), message=_("Fee added.")),
        again=lambda: page("dashboard/fees/new.html", form=form),
    )


def _preset_form(preset: Sequence[PresetFee]) -> FlaskForm:
    """Return a form of the fee presets: a tick and an amount for each."""

    class PresetForm(FlaskForm):
        ticked = ManyField(lazy_gettext("Fees to add"), choices=[])

    for fee in preset:
        written = fee.written
        kind = YenField if written.percent is None else PercentField
        label = written.label_ja if chosen_language() == "ja" else written.label_en
        figure = kind(label, [Optional()], default=written.amount_yen or written.percent)
        setattr(PresetForm, _figure_of(fee.code), figure)
    form = PresetForm()
    form.ticked.choices = [(fee.code, fee.code) for fee in preset]
    return form


def _list_missing_presets() -> Sequence[PresetFee]:
    """Return the fee presets that the catalogue does not have yet."""
    return [fee for fee in workspaces_fees.fee_preset(reading()) if not fee.is_there]


def _figure_of(code: str) -> str:
    return f"c-0-{code}"


@dashboard.get("/fees/preset", roles=OPERATOR)
def fee_preset() -> Response:
    """Show the fee presets with their ticks."""
    preset = _list_missing_presets()
    return _render_preset(_preset_form(preset), preset)


@dashboard.post("/fees/preset", roles=OPERATOR)
def add_preset_fees() -> Response:
    """Store every ticked fee with its amount."""
    preset = _list_missing_presets()
    form = _preset_form(preset)
    return submitted(
        form,
        act=lambda work: workspaces_fees.add_preset_fees(
            work, {code: form[_figure_of(code)].data for code in form.ticked.data or ()}
        ),
        then=lambda codes: go(
            url_for("dashboard.fees"),
            message=ngettext("%(num)s fee added.", "%(num)s fees added.", len(codes)),
        ),
        again=lambda: _render_preset(form, preset),
        refusal=None if form.ticked.data else Refused("ticked: select at least one fee."),
    )


def _render_preset(form: FlaskForm, preset: Sequence[PresetFee]) -> Response:
    figures = {fee.code: form[_figure_of(fee.code)] for fee in preset}
    return page("dashboard/fees/preset.html", form=form, preset=preset, figures=figures)


@dashboard.get("/fees/<fee_id>", roles=OPERATOR)
def fee(fee_id: str) -> Response:
    """Show the form of one fee."""
    record = workspaces_fees.fee_record(reading(), fee_id)
    return _render_fee(fee_id, Edit.of(CatalogueFeeForm.of(record.written), record.version))


@dashboard.post("/fees/<fee_id>", roles=OPERATOR)
def edit_fee(fee_id: str) -> Response:
    """Save a fee."""
    form = CatalogueFeeForm()
    typed = Edit.from_typed(form, request.form)

    def act(work: Work) -> int:
        record = workspaces_fees.fee_record(work.session, fee_id)
        now = Edit.of(CatalogueFeeForm.of(record.written), record.version)
        typed.merge(work, now, subject=("fee", fee_id), columns=_COLUMNS)
        return workspaces_fees.edit_fee(
            work, fee_id=fee_id, version=record.version, written=form.written_fee
        )

    return submitted(
        form,
        act,
        then=lambda _version: go(url_for("dashboard.fees"), message=typed.message(_("Saved."))),
        again=lambda: _render_fee(fee_id, typed),
    )


@dashboard.post("/fees/<fee_id>/removal", roles=OPERATOR)
def remove_fee(fee_id: str) -> Response:
    """Remove a fee that nothing uses."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: prices.remove_fee(work, fee_id),
        then=lambda code: go(
            url_for("dashboard.fees"), message=_("%(code)s is removed.", code=code)
        ),
        again=lambda: _render_fee(fee_id, _build_edit(fee_id), form),
    )


def _build_edit(fee_id: str) -> Edit:
    record = workspaces_fees.fee_record(reading(), fee_id)
    return Edit.of(CatalogueFeeForm.of(record.written), record.version)


def _render_fee(fee_id: str, shown: Edit, refused: Form | None = None) -> Response:
    record = workspaces_fees.fee_record(reading(), fee_id)
    uses = prices.fee_uses(reading()).get(record.code, 0)
    return page(
        "dashboard/fees/fee.html",
        fee=record,
        edit=shown,
        form=shown.form,
        uses=uses,
        refused=refused,
    )


@dashboard.get("/units/<unit_id>/fees", roles=OFFICE)
def unit_fees(unit_id: str) -> Response:
    """Show every monthly fee of the workspace with this unit's amounts."""
    unit, fees = (
        records.unit_record(reading(), unit_id),
        records.unit_fee_records(reading(), unit_id),
    )
    return _render_unit_fees(unit_id, Edit.of(_build_form(fees), unit.version))


@dashboard.post("/units/<unit_id>/fees", roles=OFFICE)
def set_unit_fees(unit_id: str) -> Response:
    """Save the amounts; a fee with an empty one is not charged."""
    unit = records.unit_record(reading(), unit_id)
    form = _build_form(records.unit_fee_records(reading(), unit.id), request.form)
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> int:
        record, fees = (
            records.unit_record(work.session, unit_id),
            records.unit_fee_records(work.session, unit_id),
        )
        now = Edit.of(_build_form(fees), record.version)
        columns = dict.fromkeys((each.name for each in form), "monthly_fees")
        edit.merge(work, now, subject=("unit", unit_id), columns=columns)
        return units.set_unit_fees(
            work,
            unit_id=unit_id,
            version=record.version,
            amounts={each.name.removeprefix("fees."): each.data for each in form},
        )

    return edit.save(
        act,
        url_for("dashboard.unit", unit_id=unit_id),
        again=lambda: _render_unit_fees(unit_id, edit),
    )


def _build_form(fees: Sequence[UnitFeeRecord], typed: Any = None) -> Form:
    """Return a form with a field for each fee of the workspace."""
    language = chosen_language()
    fields = {
        f"fees.{fee.code}": YenField(fee.label.in_language(language), [Optional()]) for fee in fees
    }
    amounts = {f"fees.{fee.code}": fee.amount_yen for fee in fees}
    form: Form = type("FeesForm", (QueryForm,), fields)(typed, data=amounts)
    return form


def _render_unit_fees(unit_id: str, edit: Edit) -> Response:
    unit = records.unit_record(reading(), unit_id)
    return page("dashboard/units/fees.html", form=edit.form, edit=edit, unit=unit)
