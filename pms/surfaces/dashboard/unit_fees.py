"""The monthly fees of a unit."""

from collections.abc import Sequence
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.catalogue import records
from pms.catalogue import units as catalogue_units
from pms.catalogue.records import UnitFeeRecord
from pms.foundation.work import Work
from pms.surfaces.dashboard.blueprint import OFFICE, dashboard
from pms.surfaces.dashboard.current_member import reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import Optional, YenField
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.reader_choice import chosen_language


@dashboard.get("/units/<unit_id>/fees", roles=OFFICE)
def unit_fees(unit_id: str) -> Response:
    """Show every monthly fee of the workspace with this unit's amounts."""
    unit, fees = (
        records.unit_record(reading(), unit_id),
        records.unit_fee_records(reading(), unit_id),
    )
    return _shown(unit_id, Edit.of(_form(fees), unit.version))


@dashboard.post("/units/<unit_id>/fees", roles=OFFICE)
def set_unit_fees(unit_id: str) -> Response:
    """Save the amounts; a fee with an empty one is not charged."""
    unit = records.unit_record(reading(), unit_id)
    form = _form(records.unit_fee_records(reading(), unit.id), request.form)
    edit = Edit.typed(form, request.form)

    def act(work: Work) -> int:
        record, fees = (
            records.unit_record(work.session, unit_id),
            records.unit_fee_records(work.session, unit_id),
        )
        now = Edit.of(_form(fees), record.version)
        columns = dict.fromkeys((each.name for each in form), "monthly_fees")
        edit.merge(work, now, subject=("unit", unit_id), columns=columns)
        return catalogue_units.set_unit_fees(
            work,
            unit_id=unit_id,
            version=record.version,
            amounts={each.name.removeprefix("fees."): each.data for each in form},
        )

    return submitted(
        form,
        act=act,
        then=lambda _version: go(
            url_for("dashboard.unit", unit_id=unit_id), message=edit.message(_("Saved."))
        ),
        again=lambda: _shown(unit_id, edit),
    )


def _form(fees: Sequence[UnitFeeRecord], typed: Any = None) -> Form:
    """Return a form with a field for each fee of the workspace."""
    language = chosen_language()
    fields = {
        f"fees.{fee.code}": YenField(fee.label.in_language(language), [Optional()]) for fee in fees
    }
    amounts = {f"fees.{fee.code}": fee.amount_yen for fee in fees}
    form: Form = type("FeesForm", (QueryForm,), fields)(typed, data=amounts)
    return form


def _shown(unit_id: str, edit: Edit) -> Response:
    unit = records.unit_record(reading(), unit_id)
    return page("dashboard/units/fees.html", form=edit.form, edit=edit, unit=unit)
