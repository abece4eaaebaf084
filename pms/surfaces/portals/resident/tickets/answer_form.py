"""What a resident adds to a conversation."""

from flask_babel import lazy_gettext as _

from pms.surfaces.fields import LongTextField, Required
from pms.surfaces.portals.resident.pictures import PicturesForm


class AnswerForm(PicturesForm):
    """Words, and pictures where the conversation takes them."""

    text = LongTextField(_("Your message"), [Required()])
