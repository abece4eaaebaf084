"""The days on which Japanese banks work (Banking Act, enforcement order, article 5)."""

from collections.abc import Container
from datetime import date
from enum import StrEnum

from pms.rules.days import ONE_DAY

_SATURDAY = 5


class BankClosure(StrEnum):
    """Why banks are closed on a day."""

    YEAR_END = "year-end break"
    HOLIDAY = "public holiday"
    WEEKEND = "weekend"


def bank_closure(day: date, holidays: Container[date]) -> BankClosure | None:
    """Return why banks are closed on a day, or None on a business day.

    They are closed from 31 December to 3 January, on national holidays and at weekends.
    `holidays` holds the national holidays, with the substitute ones.
    """
    if (day.month, day.day) == (12, 31) or (day.month == 1 and day.day <= 3):
        return BankClosure.YEAR_END
    if day in holidays:
        return BankClosure.HOLIDAY
    return BankClosure.WEEKEND if day.weekday() >= _SATURDAY else None


def next_bank_day(day: date, holidays: Container[date]) -> date:
    """Return the day itself if banks work on it, otherwise the next day on which they do."""
    while bank_closure(day, holidays) is not None:
        day += ONE_DAY
    return day


def bank_day_of_month(day: date, holidays: Container[date]) -> date:
    """Return the next business day, or the last of the month where the next is in another one."""
    following = next_bank_day(day, holidays)
    if following.month == day.month:
        return following
    while bank_closure(day, holidays) is not None:
        day -= ONE_DAY
    return day
