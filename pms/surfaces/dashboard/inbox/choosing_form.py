"""A few words to find what a conversation is put together with."""

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.surfaces.fields import Optional, TextField


class StayChoiceForm(Form):
    """Words to find a reservation by."""

    search = TextField(_("Name, unit or e-mail"), [Optional()])


class PersonChoiceForm(Form):
    """Words to find another conversation by."""

    search = TextField(_("Name, unit or words"), [Optional()])
