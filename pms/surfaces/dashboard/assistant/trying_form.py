"""What is asked to try the assistant."""

from flask_babel import lazy_gettext as _
from wtforms import Form
from wtforms.validators import Length

from pms.surfaces.fields import LongTextField, Required

LONGEST = 2_000


class QuestionForm(Form):
    """One message."""

    message = LongTextField(
        _("Your question"),
        [Required(), Length(max=LONGEST, message=_("At most 2,000 characters."))],
    )
