"""What is typed beside a supplier's order: which project bears it, or why none does."""

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.surfaces.fields import Optional, TextField


class MatchingForm(Form):
    """Each deed reads its own field."""

    projectNumber = TextField(_("Project"), [Optional()])
    why = TextField(_("Why it is no cost"), [Optional()])
