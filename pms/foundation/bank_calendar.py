"""The business days of Japanese banks, with the national holidays as a library knows them."""

from datetime import date

from pms.rules import days
from pms.rules.days import BankClosure


class _NationalHolidays:
    """All national holidays of Japan, of any year; a substitute holiday is one, too."""

    def __contains__(self, day: object) -> bool:
        # Most processes never ask for a bank's day, so they do not load the library.
        import jpholiday

        return isinstance(day, date) and bool(jpholiday.is_holiday(day))


_HOLIDAYS = _NationalHolidays()


def bank_closure(day: date) -> BankClosure | None:
    """Return why Japanese banks are closed on a day, or None on a business day."""
    return days.bank_closure(day, _HOLIDAYS)


def next_bank_day(day: date) -> date:
    """Return the day itself if Japanese banks work on it, otherwise their next business day."""
    return days.next_bank_day(day, _HOLIDAYS)


def bank_day_of_month(day: date) -> date:
    """Return the next business day, or the last of the month where the next is in another one."""
    return days.bank_day_of_month(day, _HOLIDAYS)
