"""What is typed of a channel's calendar."""

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.foundation.outside_addresses import LONGEST_URL
from pms.surfaces.fields import Required, TextField


class UrlField(TextField):
    """The address of a calendar."""

    most_characters = LONGEST_URL


class FeedForm(Form):
    """A calendar that is read from now on."""

    name = TextField(_("Name"), [Required()])
    url = UrlField(_("Address of the calendar (iCal)"), [Required()])
