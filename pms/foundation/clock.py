"""Provides the time, and the business days of banks; everything else receives a clock as an argument."""

from collections.abc import Hashable
from datetime import UTC, date, datetime, timedelta
from typing import Final, Protocol

from pms.rules import days
from pms.rules.days import JAPAN, BankClosure, day_of


class Clock(Hashable, Protocol):
    """The time as use cases query it."""

    def now(self) -> datetime:
        """Return the current instant in UTC, to the second."""

    def today(self) -> date:
        """Return the current calendar day in Japan (specification, Contract dates)."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC).replace(microsecond=0)

    def today(self) -> date:
        return datetime.now(JAPAN).date()


class FixedClock:
    """A clock that does not move by itself, for tests and for running a job for a given day."""

    def __init__(self, instant: datetime) -> None:
        self._instant = instant.astimezone(UTC)

    def now(self) -> datetime:
        return self._instant.replace(microsecond=0)

    def today(self) -> date:
        return day_of(self._instant)

    def advance(self, by: timedelta) -> None:
        """Move the clock forward."""
        self._instant += by


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


def transfer_seen_day(due_on: date) -> date:
    """Return the first business day on which a transfer of the due day is on the bank's list."""
    return days.transfer_seen_day(due_on, _HOLIDAYS)


def first_reminder_day(due_on: date, patience_days: int) -> date:
    """Return the first business day on which a bill is reminded of by itself."""
    return days.first_reminder_day(due_on, patience_days, _HOLIDAYS)


_LONGEST_CLOSURE: Final = timedelta(days=16)


def is_transfer_awaited(due_on: date, on: date) -> bool:
    """Whether the due day is past and a transfer made on it may not be on the bank's list yet."""
    # Older bills ask no calendar: banks are never closed for so long.
    return due_on < on <= due_on + _LONGEST_CLOSURE and transfer_seen_day(due_on) > on
