"""What is told of one room, and of the whole home when it is sent."""

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.enumerations import ConditionState
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import LongTextField, Optional, PickField, Required
from pms.surfaces.portals.resident.pictures import PicturesForm


class RoomForm(PicturesForm):
    """How the room was found, a note, further pictures."""

    state = PickField(_("How did you find it?"), [Required()])
    note = LongTextField(_("What did you find?"), [Optional()])

    def offer(self) -> "RoomForm":
        """Give the form the states in the reader's language."""
        self.state.choices = choices(ConditionState)
        return self


class SendingForm(Form):
    """A last word before the report is sent."""

    remark = LongTextField(_("Anything else?"), [Optional()])
