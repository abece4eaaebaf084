"""Which days of the register are asked for."""

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.surfaces.fields import DayField, Required


class SpanForm(Form):
    """From a day through a day, both counted; the names are those of the use case's refusal."""

    since = DayField(_("From"), [Required()])
    through = DayField(_("Through"), [Required()])
