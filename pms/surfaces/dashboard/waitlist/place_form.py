"""What is typed of somebody who waits."""

from collections.abc import Sequence

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.building_names import NamedBuilding
from pms.enquiries.add_to_waitlist import Wanted
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    HiddenField,
    LongTextField,
    Optional,
    Required,
    TextField,
)
from pms.surfaces.reader_choice import chosen_language


class PlaceForm(Form):
    """A person, a day, and a place: one unit, one building, or anything."""

    unitId = HiddenField()
    buildingId = ChoiceField(_("Waits for"), [Optional()])
    wantedFrom = DayField(_("Wants to move in from"), [Required()])
    name = TextField(_("Name"), [Required()])
    email = EmailField(_("E-mail"), [Optional()])
    phone = TextField(_("Phone"), [Optional()])
    note = LongTextField(_("Note"), [Optional()])

    def offer(self, buildings: Sequence[NamedBuilding]) -> None:
        """Give the form its buildings."""
        locale = chosen_language()
        named = [(building.id, building.name.said(locale) or "") for building in buildings]
        self.buildingId.choices = [("", str(_("Any building"))), *named]

    @property
    def wanted(self) -> Wanted:
        """What a valid form says."""
        return Wanted(
            name=self.name.data,
            email=self.email.data,
            phone=self.phone.data,
            wanted_from_on=self.wantedFrom.data,
            unit_id=self.unitId.data or None,
            building_id=self.buildingId.data or None,
            note=self.note.data,
        )
