"""What is typed to send a check-in link."""

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.surfaces.fields import EmailField, Required


class MailForm(Form):
    """Whom the link goes to."""

    email = EmailField(_("E-mail"), [Required()])
