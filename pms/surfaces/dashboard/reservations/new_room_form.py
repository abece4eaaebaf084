"""Where a tenancy goes on, and from which day."""

from flask_babel import lazy_gettext
from wtforms import Form

from pms.surfaces.fields import ChoiceField, DayField, Required


class NewRoomForm(Form):
    """A building and the first day of the new record."""

    building = ChoiceField(lazy_gettext("Building"), [Required()])
    fromOn = DayField(lazy_gettext("New from"), [Required()])
