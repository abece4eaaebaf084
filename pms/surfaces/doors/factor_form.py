"""What is typed on the page of the second factor."""

from flask_babel import lazy_gettext
from wtforms import Form

from pms.surfaces.fields import Required, TextField


class FactorForm(Form):
    """Six digits of an authenticator, or a recovery code."""

    code = TextField(lazy_gettext("Digits from the app, or a recovery code"), [Required()])
