"""Where and when a new booking is to be."""

from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form, ValidationError

from pms.surfaces.fields import ChoiceField, DayField, Optional, Required


class PlaceForm(Form):
    """A building and the nights asked for."""

    building = ChoiceField(lazy_gettext("Building"), [Required()])
    moveInDate = DayField(lazy_gettext("Move-in"), [Required()])
    contractEndDate = DayField(lazy_gettext("Contract end"), [Optional()])

    def validate_contractEndDate(self, field: DayField) -> None:  # noqa: N802  # WTForms finds it by name
        """A contract ends on its first day or later."""
        begins_on = self.moveInDate.data
        if begins_on and field.data and field.data < begins_on:
            raise ValidationError(_("The contract ends on its first day or later."))
