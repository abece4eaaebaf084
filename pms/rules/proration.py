"""The exact share of a monthly amount that a run of days costs."""

from fractions import Fraction

from pms.rules.days import inclusive_days, month_days
from pms.rules.policy import Days, is_whole_month


def prorated_yen(monthly_yen: int, days: Days) -> Fraction | int:
    """The exact share of a monthly amount, by the real days of the month (Money 5).

    The run is within one calendar month. Rounding happens once, on the line.
    """
    if is_whole_month(days):
        return monthly_yen
    share = inclusive_days(days.first_on, days.last_on) * monthly_yen
    return Fraction(share, month_days(days.first_on))
