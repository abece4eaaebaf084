"""The day a resident leaves, and the figures they saw for it."""

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.surfaces.fields import DayField, HiddenField, Required


class MoveOutForm(Form):
    """The day; `figures` are those that were shown, `once` names one filling of the form."""

    moveOutDate = DayField(_("I move out on"), [Required()])
    figures = HiddenField()
    once = HiddenField()


class WithdrawalForm(Form):
    """The notice as it was seen."""

    version = HiddenField()

    @property
    def seen(self) -> int:
        """The version, 0 for a text that is none: it is then never the current one."""
        typed = self.version.data or ""
        return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 9 else 0
