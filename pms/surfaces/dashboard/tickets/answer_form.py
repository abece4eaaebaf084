"""What is typed into a conversation."""

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.surfaces.fields import HiddenField, LongTextField, Optional, Required


class AnswerForm(Form):
    """Words for the resident; the key tells an answer sent twice."""

    text = LongTextField(_("Your answer"), [Required()])
    key = HiddenField(validators=[Optional()])
