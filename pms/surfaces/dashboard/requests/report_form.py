"""What is typed to report a problem: where, whose it is, what, and pictures of it."""

from collections.abc import Sequence
from typing import Final

from flask_babel import lazy_gettext as _
from wtforms.validators import StopValidation

from pms.catalogue.unit_names import unit_names
from pms.surfaces.dashboard.desk import desk, reading, today
from pms.surfaces.dashboard.requests.taken_photos import TakenPhotosForm
from pms.surfaces.fields import (
    ChoiceField,
    HiddenField,
    LongTextField,
    Optional,
    PickField,
    Required,
)
from pms.upkeep.report_problem import ReportedProblem
from pms.upkeep.reporting_residents import ReportingResident, reporting_residents

SHARED: Final = "shared"
MAY_ENTER, STAY_OUT = "yes", "no"


class ReportForm(TakenPhotosForm):
    """A problem in a building that was chosen before; `once` tells one tap from the next.

    The office may take it down for a resident, who then says whether somebody may go in alone.
    """

    buildingId = HiddenField()
    once = HiddenField()
    unitId = ChoiceField(_("Where"), [Required()])
    reservationId = ChoiceField(_("Whose report is it"), [Optional()])
    # Without `Optional`: it is asked for below, of a resident's report alone.
    mayEnter = PickField(
        _("May we go in alone"),
        choices=[(MAY_ENTER, _("Yes")), (STAY_OUT, _("No, only together"))],
    )
    what = LongTextField(_("What is wrong"), [Required()])

    def offer(self) -> None:
        """Give the form the places of its building and, for the office, who lives there."""
        units = unit_names(reading(), self.buildingId.data or "")
        self.unitId.choices = [
            ("", str(_("Choose"))),
            (SHARED, str(_("Shared areas"))),
            *((unit.id, unit.name) for unit in units),
        ]
        # Who lives somewhere is for the office to know.
        is_office, building_id = desk().is_office, self.buildingId.data or ""
        self._offer(reporting_residents(reading(), building_id, today()) if is_office else ())

    def narrow(self) -> None:
        """Leave only the residents of the place that is chosen, once one is."""
        if self.unitId.data:
            self._offer([one for one in self.residents if one.unit_id == self.chosen_unit])

    def validate_reservationId(self, field: ChoiceField) -> None:  # noqa: N802  # WTForms' name
        """Have the resident be one of the chosen unit, as in their own portal."""
        homes = {one.reservation_id: one.unit_id for one in self.residents}
        if field.data and homes.get(field.data) != self.chosen_unit:
            raise StopValidation(str(_("They do not live there. Choose their unit above.")))

    def validate_mayEnter(self, field: PickField) -> None:  # noqa: N802  # WTForms' name
        """Ask for a resident's word."""
        if self.reservationId.data and not field.data:
            raise StopValidation(str(_("Ask them, and choose one of the two.")))

    def _offer(self, residents: Sequence[ReportingResident]) -> None:
        self.residents = residents
        self.reservationId.choices = [
            ("", str(_("Nobody's: we report it ourselves"))),
            *((one.reservation_id, f"{one.unit_name} {one.name}") for one in residents),
        ]

    @property
    def chosen_unit(self) -> str | None:
        """The unit, if it is not the shared areas."""
        chosen: str | None = self.unitId.data
        return chosen if chosen != SHARED else None

    @property
    def reported(self) -> ReportedProblem:
        """What a valid form says."""
        return ReportedProblem(
            building_id=self.buildingId.data, unit_id=self.chosen_unit, what=self.what.data
        )
