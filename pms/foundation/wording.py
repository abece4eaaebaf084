"""Says yen and days in Japanese and English, on papers and in mails alike."""

from datetime import date
from typing import Final

from babel.dates import format_date

_WHOLE: Final = {"ja": "y年M月d日", "en": "d MMMM y"}
_MONTH: Final = {"ja": "y年M月", "en": "MMMM y"}
MINUS: Final = "−"


def said_yen(yen: int) -> str:
    """Return whole yen as they are read: ¥93,000, −¥1,500."""
    return f"{MINUS if yen < 0 else ''}¥{abs(yen):,}"


def said_day(day: date, locale: str) -> str:
    """Return a day with its year: 2026年12月1日, 1 December 2026."""
    return format_date(day, _WHOLE[_spoken(locale)], locale=_spoken(locale))


def said_month(day: date, locale: str) -> str:
    """Return the month a day lies in: 2026年12月, December 2026."""
    return format_date(day, _MONTH[_spoken(locale)], locale=_spoken(locale))


def said_days(first_on: date | None, last_on: date | None, locale: str) -> str:
    """Return a run of days, without repeating what its two ends share; empty without days."""
    if first_on is None or last_on is None:
        known = first_on or last_on
        return said_day(known, locale) if known else ""
    if first_on == last_on:
        return said_day(first_on, locale)
    if _spoken(locale) == "ja":
        return f"{said_day(first_on, 'ja')}〜{_rest_ja(first_on, last_on)}"
    return f"{_rest_en(first_on, last_on)} – {said_day(last_on, 'en')}"


def _rest_ja(first_on: date, last_on: date) -> str:
    if first_on.year != last_on.year:
        return said_day(last_on, "ja")
    is_one_month = first_on.month == last_on.month
    return format_date(last_on, "d日" if is_one_month else "M月d日", locale="ja")


def _rest_en(first_on: date, last_on: date) -> str:
    if first_on.year != last_on.year:
        return said_day(first_on, "en")
    is_one_month = first_on.month == last_on.month
    return format_date(first_on, "d" if is_one_month else "d MMMM", locale="en")


def _spoken(locale: str) -> str:
    return "en" if locale == "en" else "ja"
