"""What is typed of a guest's stay: where and when, then who."""

from collections.abc import Sequence
from typing import Any

from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_babel import lazy_pgettext as worded
from wtforms import Form, ValidationError

from pms.arrivals.free_units import BookableUnit
from pms.rules.enumerations import Locale
from pms.stays.link_stay import MOST_GUESTS
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    EmailField,
    HiddenField,
    Optional,
    PickField,
    Required,
    TextField,
    WholeNumberField,
)


class NightsForm(Form):
    """A building, and the nights asked for."""

    building = ChoiceField(_("Building"), [Required()])
    checkIn = DayField(worded("stay", "Check-in"), [Required()])
    checkOut = DayField(worded("stay", "Check-out"), [Required()])

    def validate_checkOut(self, field: DayField) -> None:  # noqa: N802  # WTForms finds it by name
        """A guest stays nights."""
        if self.checkIn.data and field.data and field.data <= self.checkIn.data:
            raise ValidationError(gettext("The check-out comes after the check-in."))


class StayForm(NightsForm):
    """The unit and the guest; the form names the booking it makes, so that it is made once."""

    unitId = ChoiceField(_("Unit"), [Required()])
    guestName = TextField(_("Name of the guest"), [Required()])
    guests = WholeNumberField(_("Guests"), [Required()], least=1, most=MOST_GUESTS)
    email = EmailField(_("E-mail"), [Optional()])
    locale = PickField(_("Language of the page"), [Required()])
    newReservationId = HiddenField()

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.locale.choices = choices(Locale)

    def offer(self, units: Sequence[BookableUnit]) -> None:
        """Give the form the units that are free; one that was taken meanwhile stays typed."""
        self.unitId.choices = [("", ""), *((unit.id, unit.name) for unit in units)]
        known = {unit.id for unit in units}
        if self.unitId.data and self.unitId.data not in known:
            self.unitId.choices.append((self.unitId.data, gettext("No longer free")))
