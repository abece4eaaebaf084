"""What somebody new types who follows an invitation."""

from flask_babel import lazy_gettext
from wtforms import Form

from pms.surfaces.fields import PasswordField, Required, TextField


class NewPersonForm(Form):
    """A name and a password of one's own."""

    name = TextField(lazy_gettext("Your name"), [Required()])
    newPassword = PasswordField(lazy_gettext("A new password"), [Required()])
