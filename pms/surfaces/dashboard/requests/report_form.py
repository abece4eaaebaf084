"""What is typed to report a problem: where, what, and pictures of it."""

from typing import Final

from flask_babel import lazy_gettext as _

from pms.catalogue.unit_names import unit_names
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.requests.taken_photos import TakenPhotosForm
from pms.surfaces.fields import ChoiceField, HiddenField, LongTextField, Required
from pms.upkeep.report_problem import ReportedProblem

SHARED: Final = "shared"


class ReportForm(TakenPhotosForm):
    """A problem in a building that was chosen before; `once` tells one tap from the next."""

    buildingId = HiddenField()
    once = HiddenField()
    unitId = ChoiceField(_("Where"), [Required()])
    what = LongTextField(_("What is wrong"), [Required()])

    def offer(self) -> None:
        """Give the form the places of its building."""
        units = unit_names(reading(), self.buildingId.data or "")
        self.unitId.choices = [
            ("", str(_("Choose"))),
            (SHARED, str(_("Shared areas"))),
            *((unit.id, unit.name) for unit in units),
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
