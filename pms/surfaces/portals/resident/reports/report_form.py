"""What is told of a problem: of which kind, what it is, pictures, and whether one may go in."""

from collections.abc import Mapping
from typing import Any, Final

from flask_babel import lazy_gettext as _
from flask_babel import lazy_pgettext as worded

from pms.surfaces.fields import HiddenField, LongTextField, Optional, PickField, Required
from pms.surfaces.portals.resident.pictures import PicturesForm

KINDS: Final[Mapping[str, Any]] = {
    "water": worded("kind of problem", "Water, drain"),
    "climate": worded("kind of problem", "Heating, air conditioning"),
    "power": worded("kind of problem", "Electricity, light"),
    "door": worded("kind of problem", "Door, key, window"),
    "appliance": worded("kind of problem", "Appliance, furniture"),
    "network": worded("kind of problem", "Internet"),
    "other": worded("kind of problem", "Something else"),
}
MAY_ENTER, STAY_OUT = "yes", "no"


class ReportForm(PicturesForm):
    """A problem; its kind stands before the words, in the language they are written in."""

    kind = PickField(_("What is it about?"), [Optional()], choices=list(KINDS.items()))
    what = LongTextField(_("What is wrong?"), [Required()])
    mayEnter = PickField(
        _("May we come in when you are out?"),
        [Required()],
        choices=[
            (MAY_ENTER, _("Yes, come in with your own key")),
            (STAY_OUT, _("No, agree on a time with me")),
        ],
    )
    another = HiddenField()

    @property
    def words(self) -> str | None:
        """The text as it is reported."""
        kind = KINDS.get(self.kind.data or "")
        if kind is None or self.kind.data == "other" or not self.what.data:
            return self.what.data
        return f"{kind}: {self.what.data}"
