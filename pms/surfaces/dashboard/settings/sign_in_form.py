"""The rules for signing in, as an operator types them."""

from typing import Self

from flask_babel import lazy_gettext
from wtforms import Form

from pms.access.sign_in_policy import IDLE_MINUTES, KEPT_DAYS, SignInRules, StatedRules
from pms.surfaces.fields import DayField, Optional, Required, WholeNumberField


class SignInForm(Form):
    """A second factor from a day on, a limit of inactivity, and how long the record is kept."""

    factorRequiredOn = DayField(lazy_gettext("A second factor is required from"), [Optional()])
    idleMinutes = WholeNumberField(
        lazy_gettext("Sign out after inactivity of (minutes)"),
        [Optional()],
        least=IDLE_MINUTES[0],
        most=IDLE_MINUTES[1],
    )
    keptDays = WholeNumberField(
        lazy_gettext("Sign-ins are kept (days)"),
        [Required()],
        least=KEPT_DAYS[0],
        most=KEPT_DAYS[1],
    )

    @classmethod
    def of(cls, rules: SignInRules) -> Self:
        """Return the form that shows the rules."""
        return cls(
            factorRequiredOn=rules.factor_required_on,
            idleMinutes=rules.idle_minutes,
            keptDays=rules.kept_days,
        )

    @property
    def stated(self) -> StatedRules:
        """What was typed, as the use case takes it."""
        return {
            "factor_required_on": self.factorRequiredOn.data,
            "idle_minutes": self.idleMinutes.data,
            "kept_days": self.keptDays.data,
        }
