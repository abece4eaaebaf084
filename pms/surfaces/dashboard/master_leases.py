"""What the operator pays the owner of a building under master lease, from a day on."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms.widgets import HiddenInput

from pms.catalogue import management_forms, records
from pms.foundation.errors import Refused
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.management_forms import ManagementForm
from pms.rules.master_leases import LeaseRentKind, LeaseStep
from pms.statements import master_leases
from pms.statements.master_leases import (
    LEASE_TAXES,
    LEASED_CATEGORIES,
    MOST_STEPS,
    USUAL_CATEGORIES,
    WrittenMasterLease,
)
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    ManyField,
    Optional,
    PercentField,
    PickField,
    Required,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import LABELS, choices
from pms.surfaces.request_scope import today

_PLACES: Final = range(1, MOST_STEPS + 1)


class StepFields(NamedTuple):
    """The fields of one step."""

    from_on: Any
    kind: Any
    rent_yen: Any
    percent: Any


class MasterLeaseForm(FlaskForm):
    """The days of a master lease and its steps; the first step begins with it."""

    firstOn = DayField(lazy_gettext("First day"), [Required()])
    lastOn = DayField(lazy_gettext("Last day"), [Optional()])
    freeMonths = WholeNumberField(lazy_gettext("Months without rent at the start"), [Optional()])
    categories = ManyField(lazy_gettext("A percentage is of"))
    taxTreatment = PickField(lazy_gettext("Consumption tax of the rent paid"), [Required()])
    version = WholeNumberField(validators=[Required()], widget=HiddenInput())

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        kinds = [("", lazy_gettext("No further step")), *choices(LeaseRentKind)]
        for place, step in self.steps():
            step.kind.choices = kinds[1:] if place == 1 else kinds
        labels = LABELS[FeeCategory]
        self.categories.choices = [(each.value, labels[each]) for each in LEASED_CATEGORIES]
        taxes = LABELS[TaxTreatment]
        self.taxTreatment.choices = [(each.value, taxes[each]) for each in LEASE_TAXES]

    def steps(self) -> Iterator[tuple[int, StepFields]]:
        """Return the fields of each step with its number."""
        for place in _PLACES:
            names = (f"step{part}{place}" for part in ("From", "Kind", "Rent", "Percent"))
            yield place, StepFields(*(self[name] for name in names))

    def shown_steps(self) -> list[tuple[int, StepFields]]:
        """Return the steps up to the last that is filled, and one more."""
        steps = list(self.steps())
        filled = [place for place, step in steps if any(field.data for field in step)]
        return steps[: max([1, *filled]) + 1]

    @property
    def written_lease(self) -> WrittenMasterLease:
        """The lease as the use case takes it; raise `Refused` for a step without its day or kind."""
        first_on: date = self.firstOn.data
        steps = []
        for place, step in self.steps():
            if not any(field.data for field in step):
                continue
            if not step.kind.data:
                raise Refused("{field}: choose how the rent is worked out.", field=step.kind.name)
            if place > 1 and step.from_on.data is None:
                raise Refused("{field}: enter the first day.", field=step.from_on.name)
            kind = LeaseRentKind(step.kind.data)
            is_fixed = kind is LeaseRentKind.FIXED
            steps.append(
                LeaseStep(
                    first_on if place == 1 else step.from_on.data,
                    kind,
                    (step.rent_yen.data or 0) if is_fixed else 0,
                    Decimal(0) if is_fixed else step.percent.data or Decimal(0),
                )
            )
        return WrittenMasterLease(
            first_on=first_on,
            last_on=self.lastOn.data,
            free_months=self.freeMonths.data or 0,
            steps=tuple(steps),
            categories=tuple(FeeCategory(each) for each in self.categories.data or ()),
            tax_treatment=TaxTreatment(self.taxTreatment.data),
        )


for _place in _PLACES:
    setattr(MasterLeaseForm, f"stepFrom{_place}", DayField(lazy_gettext("From"), [Optional()]))
    setattr(
        MasterLeaseForm,
        f"stepKind{_place}",
        ChoiceField(lazy_gettext("Rent to the owner"), [Optional()]),
    )
    setattr(
        MasterLeaseForm, f"stepRent{_place}", YenField(lazy_gettext("Yen a month"), [Optional()])
    )
    setattr(
        MasterLeaseForm, f"stepPercent{_place}", PercentField(lazy_gettext("Percent"), [Optional()])
    )


@dashboard.get("/buildings/<building_id>/master-lease", roles=OFFICE)
def building_lease(building_id: str) -> Response:
    """Show the form, filled with the newest lease; without one it begins with the management form."""
    record = records.building_record(reading(), building_id)
    begun = [
        row.from_on
        for row in management_forms.forms_of_building(reading(), building_id)
        if row.form is ManagementForm.MASTER_LEASE
    ]
    data: dict[str, Any] = {
        "firstOn": begun[-1] if begun else today(),
        "categories": [category.value for category in USUAL_CATEGORIES],
        "taxTreatment": TaxTreatment.EXEMPT.value,
        "stepKind1": LeaseRentKind.FIXED.value,
        "version": record.version,
    }
    for newest in master_leases.master_leases(reading(), building_id)[:1]:
        data |= {
            "firstOn": newest.first_on,
            "lastOn": newest.last_on,
            "freeMonths": newest.free_months,
            "categories": newest.categories,
            "taxTreatment": newest.tax_treatment.value,
        }
        for place, step in enumerate(master_leases.steps_of(newest), start=1):
            data |= {
                f"stepFrom{place}": step.from_on if place > 1 else None,
                f"stepKind{place}": step.kind.value,
                f"stepRent{place}": step.rent_yen or None,
                f"stepPercent{place}": step.percent or None,
            }
    return _render_building_lease(building_id, MasterLeaseForm(formdata=None, data=data))


@dashboard.post("/buildings/<building_id>/master-lease", roles=OFFICE)
def agree_building_lease(building_id: str) -> Response:
    """Write the master lease of a building."""
    form = MasterLeaseForm()
    return submitted(
        form,
        act=lambda work: master_leases.agree_master_lease(
            work,
            building_id=building_id,
            written=form.written_lease,
            version=form.version.data,
        ),
        then=lambda _lease: go(
            url_for("dashboard.building_lease", building_id=building_id), message=_("Saved.")
        ),
        again=lambda: _render_building_lease(building_id, form),
    )


@dashboard.post("/buildings/<building_id>/master-lease/<lease_id>/removal", roles=OFFICE)
def remove_building_lease(building_id: str, lease_id: str) -> Response:
    """Remove a master lease that was entered wrongly."""
    back = url_for("dashboard.building_lease", building_id=building_id)
    return submitted(
        FlaskForm(),
        act=lambda work: master_leases.remove_master_lease(
            work, building_id=building_id, lease_id=lease_id
        ),
        then=lambda _none: go(back, message=_("Removed.")),
        again=lambda: go(back),
    )


def _render_building_lease(building_id: str, form: MasterLeaseForm) -> Response:
    leases = master_leases.leases_in_force(reading(), [building_id]).get(building_id, ())
    in_force = {lease.row.id: lease.terms for lease in leases}
    return page(
        "dashboard/buildings/master_lease.html",
        form=form,
        building=records.building_record(reading(), building_id),
        leases=[
            (row, master_leases.steps_of(row), in_force.get(row.id))
            for row in master_leases.master_leases(reading(), building_id)
        ],
        today=today(),
    )
