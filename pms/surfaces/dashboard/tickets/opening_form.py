"""What is typed to begin a conversation with a resident."""

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.surfaces.fields import HiddenField, LongTextField, Required, TextField


class OpeningForm(Form):
    """Whom it goes to, what it is about, and the first words."""

    reservationId = HiddenField()
    projectId = HiddenField()
    subject = TextField(_("Subject"), [Required()])
    text = LongTextField(_("Message"), [Required()])
