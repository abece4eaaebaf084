"""What is typed to open a project."""

from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form

from pms.catalogue.building_names import building_names
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.fields import (
    ChoiceField,
    HiddenField,
    LongTextField,
    Optional,
    Required,
    TextField,
)
from pms.surfaces.reader_choice import chosen_language
from pms.upkeep.open_project import WantedProject


class OpeningForm(Form):
    """A title and a place; a unit that was chosen before stands fast. `once` tells taps apart."""

    once = HiddenField()
    unitId = HiddenField()
    buildingId = ChoiceField(lazy_gettext("Building"), [Required()])
    title = TextField(lazy_gettext("Title"), [Required()])
    description = LongTextField(lazy_gettext("What is to be done"), [Optional()])

    def offer(self) -> None:
        """Give the form its buildings."""
        language = chosen_language()
        named = [(one.id, one.name.said(language) or "") for one in building_names(reading())]
        self.buildingId.choices = [("", str(_("Choose"))), *named]

    @property
    def wanted(self) -> WantedProject:
        """What a valid form says."""
        return WantedProject(
            building_id=self.buildingId.data,
            unit_id=self.unitId.data or None,
            title=self.title.data,
            description=self.description.data,
        )
