"""What is typed on the sign-in page of a portal."""

from flask_babel import lazy_gettext
from wtforms import Form

from pms.surfaces.fields import EmailField, HiddenField, Required


class AddressForm(Form):
    """An e-mail address; there is no password."""

    email = EmailField(lazy_gettext("E-mail address"), [Required()])
    next = HiddenField()
