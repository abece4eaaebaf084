"""What is typed of another problem."""

from flask_babel import lazy_gettext as _
from wtforms import MultipleFileField

from pms.surfaces.contractor_links.pictures import PictureForm
from pms.surfaces.fields import FlagField, LongTextField, Optional, Required


class ReportForm(PictureForm):
    """What is wrong, where, and pictures of it."""

    what = LongTextField(_("What is wrong?"), [Required()])
    isOutside = FlagField(_("Outside this unit, in the building"))
    photo = MultipleFileField(_("Photos"), [Optional()])
