"""What is typed on the sign-in page."""

from flask_babel import lazy_gettext
from wtforms import Form

from pms.surfaces.fields import EmailField, HiddenField, PasswordField, Required


class SignInForm(Form):
    """An address, and a password unless a PIN is to be mailed."""

    email = EmailField(lazy_gettext("E-mail address"), [Required()])
    password = PasswordField(lazy_gettext("Password"))
    next = HiddenField()
    kept = HiddenField()
