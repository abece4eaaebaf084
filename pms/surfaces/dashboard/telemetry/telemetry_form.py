"""Which days' visits are asked for, and along what they are counted."""

from datetime import date, timedelta
from typing import Any, Final

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.days import add_months
from pms.rules.enumerations import TelemetryAxis
from pms.rules.telemetry import KEPT_MONTHS
from pms.surfaces.enumeration_words import word
from pms.surfaces.fields import ChoiceField, DayField, Optional

_USUAL_DAYS: Final = 28


class TelemetryForm(Form):
    """A span of days; without one, the last four weeks with today."""

    fromOn = DayField(_("From"), [Optional()])
    throughOn = DayField(_("Through"), [Optional()])
    of = ChoiceField(_("Counted by"), [Optional()])

    def __init__(self, given: Any, today: date) -> None:
        super().__init__(given)
        self.of.choices = [("", ""), *((axis.value, word(axis)) for axis in TelemetryAxis)]
        self._today = today

    @property
    def first_on(self) -> date:
        usual = self.last_on - timedelta(days=_USUAL_DAYS - 1)
        return self._sound(self.fromOn) or usual

    @property
    def last_on(self) -> date:
        return self._sound(self.throughOn) or self._today

    @property
    def axis(self) -> TelemetryAxis:
        return TelemetryAxis(self._sound(self.of) or TelemetryAxis.DAY)

    def validate(self, extra_validators: Any = None) -> bool:
        """Refuse a span that ends before it begins, or reaches back to where nothing is kept."""
        is_sound = bool(super().validate(extra_validators))
        if is_sound and self.first_on > self.last_on:
            self.throughOn.errors = [*self.throughOn.errors, _("It ends before it begins.")]
        elif is_sound and self.first_on < add_months(self.last_on, -KEPT_MONTHS):
            told = _("At most %(months)s months at once.", months=KEPT_MONTHS)
            self.fromOn.errors = [*self.fromOn.errors, told]
        return is_sound and not self.errors

    def _sound(self, field: Any) -> Any:
        return None if field.errors else field.data
