"""Whose contracts a building's are: its management form from a day on."""

from typing import Any

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms.widgets import HiddenInput

from pms.catalogue import management_forms, records
from pms.catalogue.management_forms import WrittenManagementForm
from pms.rules.management_forms import ManagementForm
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.fields import (
    DayField,
    Optional,
    PickField,
    Printable,
    Required,
    TextField,
    WholeNumberField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.request_scope import today


class BuildingFormForm(FlaskForm):
    """The form of a building from a day on, and the owner as lessor."""

    kind = PickField(lazy_gettext("Management form"), [Required()])
    fromOn = DayField(lazy_gettext("From"), [Required()])
    address = TextField(lazy_gettext("Address of the owner"), [Optional(), Printable()])
    qualifiedInvoiceNumber = TextField(
        lazy_gettext("Registration number of the owner"), [Optional(), Printable()]
    )
    informedOn = DayField(lazy_gettext("Owner informed of your number on"), [Optional()])
    payeeAccount = TextField(lazy_gettext("Account of the owner"), [Optional(), Printable()])
    version = WholeNumberField(validators=[Required()], widget=HiddenInput())

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.kind.choices = choices(ManagementForm)

    @property
    def written_form(self) -> WrittenManagementForm:
        """The form as the use case takes it."""
        return WrittenManagementForm(
            form=ManagementForm(self.kind.data),
            from_on=self.fromOn.data,
            lessor_address=self.address.data,
            lessor_number=self.qualifiedInvoiceNumber.data,
            informed_on=self.informedOn.data,
            payee_account=self.payeeAccount.data,
        )


@dashboard.get("/buildings/<building_id>/management-form", roles=OFFICE)
def building_form(building_id: str) -> Response:
    """Show the form, filled with the latest one; without one it is agency from today on."""
    record = records.building_record(reading(), building_id)
    data: dict[str, Any] = {
        "kind": ManagementForm.AGENCY.value,
        "fromOn": today(),
        "version": record.version,
    }
    latest = next(iter(management_forms.forms_of_building(reading(), building_id)[::-1]), None)
    if latest is not None:
        data |= {
            "kind": latest.form.value,
            "address": latest.lessor_address,
            "qualifiedInvoiceNumber": latest.lessor_number,
            "informedOn": latest.informed_on,
            "payeeAccount": latest.payee_account,
        }
    return _render_building_form(building_id, BuildingFormForm(formdata=None, data=data))


@dashboard.post("/buildings/<building_id>/management-form", roles=OFFICE)
def set_building_form(building_id: str) -> Response:
    """Write the form of a building from a day on."""
    form = BuildingFormForm()
    return submitted(
        form,
        act=lambda work: management_forms.set_management_form(
            work,
            building_id=building_id,
            written=form.written_form,
            version=form.version.data,
        ),
        then=lambda _id: go(
            url_for(
                "dashboard.building_lease"
                if form.written_form.form is ManagementForm.MASTER_LEASE
                else "dashboard.building",
                building_id=building_id,
            ),
            message=_("Saved."),
        ),
        again=lambda: _render_building_form(building_id, form),
    )


def _render_building_form(building_id: str, form: BuildingFormForm) -> Response:
    return page(
        "dashboard/buildings/management_form.html",
        form=form,
        building=records.building_record(reading(), building_id),
        forms=management_forms.forms_of_building(reading(), building_id)[::-1],
    )
