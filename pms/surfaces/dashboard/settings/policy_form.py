"""The figures a workspace sets for notices, penalties, billing and turnover."""

from decimal import Decimal
from typing import Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.policy import Policy
from pms.surfaces.fields import FlagField, PercentField, Required, WholeNumberField
from pms.workspaces.set_policy import DAYS, PolicyFigures


def _days(name: str, label: object) -> WholeNumberField:
    _field, least, most = DAYS[name]
    return WholeNumberField(label, [Required()], least=least, most=most)


class PolicyForm(Form):
    """Each figure of the law that a workspace may set."""

    shortContractDays = _days("short_contract_days", _("A contract is short up to (days)"))
    shortNoticeDays = _days("short_notice_days", _("Notice of a short contract (days)"))
    longNoticeDays = _days("long_notice_days", _("Notice of a long contract (days)"))
    fullCalendarMonthIsLong = FlagField(_("A contract over a whole calendar month is long"))
    earlyExitCapMonths = PercentField(
        _("An early exit costs at most (months of rent)"), [Required()]
    )
    billingDay = _days("billing_day", _("Rent is issued on day"))
    turnoverDays = _days("turnover_days", _("Days between two tenancies"))
    longestGuestStay = _days("longest_guest_stay", _("A guest stays at most (nights)"))

    @classmethod
    def of(cls, policy: Policy) -> Self:
        """Return the form that shows the figures."""
        return cls(
            shortContractDays=policy.short_contract_days,
            shortNoticeDays=policy.short_notice_days,
            longNoticeDays=policy.long_notice_days,
            fullCalendarMonthIsLong=policy.full_calendar_month_is_long,
            earlyExitCapMonths=Decimal(
                format(Decimal(policy.early_exit_cap_months).normalize(), "f")
            ),
            billingDay=policy.billing_day,
            turnoverDays=policy.turnover_days,
            longestGuestStay=policy.longest_guest_stay,
        )

    @property
    def figures(self) -> PolicyFigures:
        """What was typed, as the use case takes it."""
        return {
            "full_calendar_month_is_long": self.fullCalendarMonthIsLong.data,
            "short_contract_days": self.shortContractDays.data,
            "short_notice_days": self.shortNoticeDays.data,
            "long_notice_days": self.longNoticeDays.data,
            "early_exit_cap_months": Decimal(self.earlyExitCapMonths.data),
            "billing_day": self.billingDay.data,
            "turnover_days": self.turnoverDays.data,
            "longest_guest_stay": self.longestGuestStay.data,
        }
