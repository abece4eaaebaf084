"""Periods of months as the Civil Code counts them (Article 143)."""

from datetime import date

from pms.rules.days import ONE_DAY, add_months, month_days


def period_end(first: date, months: int) -> date:
    """The last day of a period of so many months that begins on a day.

    The day before the day of the same number; in a month without such a day its last day, so that
    one month from 31 January ends on the last of February. Months are 1 or more.
    """
    if months < 1:
        raise ValueError(f"a period has at least one month, not {months}")
    month = add_months(first.replace(day=1), months)
    if first.day > month_days(month):
        return month.replace(day=month_days(month))
    return month.replace(day=first.day) - ONE_DAY


def full_months(first: date, day: date) -> int:
    """How many whole months have passed at the end of a day, counted from the first; 0 when none."""
    months = (day.year - first.year) * 12 + day.month - first.month + 1
    while months > 0 and period_end(first, months) > day:
        months -= 1
    return max(months, 0)
