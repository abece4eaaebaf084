"""Calendar days in Japan: read from instants and stored text, counted by months, in runs; the days banks work."""

from calendar import monthrange
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

JAPAN: Final = ZoneInfo("Asia/Tokyo")
FIRST_DAY: Final = date(1900, 1, 1)
LAST_DAY: Final = date(2200, 12, 31)
ONE_DAY: Final = timedelta(days=1)
MONTH_NAMES: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
"""The first three letters of the English months, January first."""

_ISO_LENGTH: Final = len("YYYY-MM-DD")
# One billing run asks for the same few months thousands of times.
_month_range = lru_cache(maxsize=4096)(monthrange)


@dataclass(frozen=True, slots=True)
class CorruptDay:
    """A stored day that cannot be read; its text is kept for staff to correct."""

    text: str


RecordedDay: TypeAlias = date | CorruptDay | None
"""A day as stored: readable, corrupt, or not set."""


def day_of(instant: datetime) -> date:
    """The calendar day in Japan of an aware instant (specification, Contract dates)."""
    if instant.tzinfo is None:
        raise ValueError("an instant without an offset is no instant")
    return instant.astimezone(JAPAN).date()


def day_start(day: date) -> datetime:
    """The first instant of a day in Japan (specification, Contract dates)."""
    return datetime.combine(day, time.min, tzinfo=JAPAN)


def strict_day(text: str) -> date | None:
    """The day written YYYY-MM-DD in ASCII, 1900 to 2200, else None (Contract dates).

    `date.fromisoformat` alone also accepts 20260131 and week dates, so the dashes are checked.
    """
    if len(text) != _ISO_LENGTH or text[4] != "-" or text[7] != "-":
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if FIRST_DAY <= day <= LAST_DAY else None


def read_day(text: str | None) -> RecordedDay:
    """Read a stored day (States, Availability: a corrupt source date never fails).

    Blank text is no day; text that `strict_day` refuses is a `CorruptDay`.
    """
    if text is None:
        return None
    day = strict_day(text)
    if day is not None:
        return day
    return CorruptDay(text) if text.strip() else None


def write_day(day: RecordedDay) -> str | None:
    """The text `read_day` reads back: YYYY-MM-DD, a corrupt day's own text, or None."""
    if isinstance(day, CorruptDay):
        return day.text
    return None if day is None else day.isoformat()


def readable(day: RecordedDay) -> date | None:
    """The day when it can be read, else None (a corrupt day is unknown)."""
    return None if isinstance(day, CorruptDay) else day


def inclusive_days(first_on: date, last_on: date) -> int:
    """Days from first to last, both included (Move-out penalties 4); 0 or less when reversed."""
    return (last_on - first_on).days + 1


def month_days(day: date) -> int:
    """The number of days, 28 to 31, in the month of a day (Money 5)."""
    return _month_range(day.year, day.month)[1]


def month_first(day: date) -> date:
    """The first day of a day's month."""
    return day.replace(day=1)


def month_last(day: date) -> date:
    """The last day of a day's month."""
    return day.replace(day=month_days(day))


def add_months(day: date, months: int) -> date:
    """The same day of the month `months` later, or that month's last day when it is shorter."""
    years, month = divmod(day.month - 1 + months, 12)
    first = date(day.year + years, month + 1, 1)
    return first.replace(day=min(day.day, month_days(first)))


def has_whole_month(first_on: date, last_on: date) -> bool:
    """Whether the days include a whole calendar month, 1st to last (Move-out penalties 4)."""
    start = first_on if first_on.day == 1 else add_months(month_first(first_on), 1)
    return month_last(start) <= last_on


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


def transfer_seen_day(due_on: date, holidays: Container[date]) -> date:
    """Return the first business day on which a transfer of the due day is on the bank's list.

    Banks book it on the due day, or on their next business day, and list it on the one after.
    """
    booked_on = next_bank_day(due_on, holidays)
    return next_bank_day(booked_on + ONE_DAY, holidays)


def first_reminder_day(due_on: date, patience_days: int, holidays: Container[date]) -> date:
    """Return the first day to remind of a bill: a business day, the patience in days after its due day.

    Nobody is reminded before a transfer of the due day can be seen. The due day stays as it is.
    """
    patient_on = next_bank_day(due_on + patience_days * ONE_DAY, holidays)
    return max(patient_on, transfer_seen_day(due_on, holidays))


def bank_day_of_month(day: date, holidays: Container[date]) -> date:
    """Return the next business day, or the last of the month where the next is in another one."""
    following = next_bank_day(day, holidays)
    if following.month == day.month:
        return following
    while bank_closure(day, holidays) is not None:
        day -= ONE_DAY
    return day


class Days(NamedTuple):
    """A run of days, both ends included."""

    first_on: date
    last_on: date


def month_of(day: date) -> Days:
    """The calendar month of a day."""
    return Days(month_first(day), month_last(day))


def is_whole_month(days: Days) -> bool:
    """Whether the run is one calendar month from its 1st to its last (Move-in invoice rules 4)."""
    return days.first_on.day == 1 and days.last_on == month_last(days.first_on)


def share_a_day(days: Days, other: Days) -> bool:
    """Whether two runs have a day in common."""
    return days.first_on <= other.last_on and other.first_on <= days.last_on


def split_by_month(days: Days) -> Iterator[Days]:
    """The run cut at month ends, so that each part has one daily rate (Money 5)."""
    first_on = days.first_on
    while first_on <= days.last_on:
        last_on = min(month_last(first_on), days.last_on)
        yield Days(first_on, last_on)
        first_on = last_on + ONE_DAY


def free_runs(days: Days, taken: Sequence[Days]) -> Iterator[Days]:
    """The parts of a run outside the `taken` runs, which are in order."""
    free_on = days.first_on
    for other in taken:
        if other.first_on > days.last_on:
            break
        if free_on < other.first_on:
            yield Days(free_on, other.first_on - ONE_DAY)
        free_on = max(free_on, other.last_on + ONE_DAY)
    if free_on <= days.last_on:
        yield Days(free_on, days.last_on)


def is_years_off(day: date, today: date) -> bool:
    """Whether a day is more than a year from today: a digit of the year may be mistyped."""
    return abs(day - today) > timedelta(days=366)
