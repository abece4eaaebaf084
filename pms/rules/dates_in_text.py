"""Finds the dates in a text, in Japanese and English, so that promises can be checked."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple
from unicodedata import normalize

from pms.rules.days import FIRST_DAY, LAST_DAY, MONTH_NAMES, add_months, month_first, month_last

_NAMED: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
# "You may march in" contains no month: alone, these two words need another sign of a month.
_MODAL: Final = re.compile(r"(?:may|mar|march)\.?")
_BEFORE_A_MONTH: Final = re.compile(
    r"\b(?:in|from|by|until|till|of|since|early|mid|late|end|during|before|after|around)[ -]*$"
)
_ORDINAL: Final = r"(?:st|nd|rd|th)"


class DateInText(NamedTuple):
    """A day or a run of days in a text; both ends are None where it cannot be read."""

    start: int
    end: int
    first_on: date | None
    last_on: date | None
    is_relative: bool = False


def dates_in_text(text: str, today: date) -> tuple[DateInText, ...]:
    """Return the dates in a text, in order; a day without a year is the next such day.

    Positions refer to `plain(text)`.
    """
    left = plain(text)
    found: list[DateInText] = []
    for pattern, reader in _READERS:
        spans = list(_find_dates(pattern, reader, left, today))
        found += spans
        for span in spans:
            left = left[: span.start] + " " * (span.end - span.start) + left[span.end :]
    return tuple(sorted(found))


def plain(text: str) -> str:
    """Return a text in half width and lower case, without invisible characters."""
    shown = (letter for letter in normalize("NFKC", text) if not _is_hidden(letter))
    return "".join(shown).lower()


def _is_hidden(letter: str) -> bool:
    return letter in "\u00ad\u200b\u200c\u200d\u2060\ufeff" or "\u202a" <= letter <= "\u202e"


Reader = Callable[[re.Match[str], date], tuple[date, date] | None]


def _find_dates(
    pattern: re.Pattern[str], reader: Reader | None, text: str, today: date
) -> Iterator[DateInText]:
    for match in pattern.finditer(text):
        if pattern is _ENGLISH and not _is_a_month(match, text):
            continue
        days = reader(match, today) if reader else None
        first_on, last_on = days or (None, None)
        yield DateInText(match.start(), match.end(), first_on, last_on, pattern is _RELATIVE)


def _is_a_month(match: re.Match[str], text: str) -> bool:
    if match["before"] or match["after"] or match["year"] or match["year2"]:
        return True
    is_modal = _MODAL.fullmatch(match["month"]) is not None
    return not is_modal or _BEFORE_A_MONTH.search(text[: match.start()]) is not None


def _read_numeric_date(match: re.Match[str], today: date) -> tuple[date, date] | None:
    given = match.groupdict()
    year, month, day = (int(given[name] or 0) for name in ("year", "month", "day"))
    return _find_day_or_month(year, month, day, today)


def _read_english_date(match: re.Match[str], today: date) -> tuple[date, date] | None:
    month = MONTH_NAMES.index(match["month"][:3]) + 1
    day = match["before"] or match["after"]
    if day is not None and not int(day):
        return None
    return _find_day_or_month(
        int(match["year"] or match["year2"] or 0), month, int(day or 0), today
    )


def _find_day_or_month(year: int, month: int, day: int, today: date) -> tuple[date, date] | None:
    """Return the day, or the whole month without a day; without a year the next to come."""
    tries = [year] if year else [today.year, today.year + 1]
    for attempt in tries:
        try:
            first = date(attempt, month, day or 1)
        except ValueError:
            continue
        last = first if day else month_last(first)
        if (year or last >= today) and FIRST_DAY <= first <= LAST_DAY:
            return first, last
    return None


def _read_relative_days(match: re.Match[str], today: date) -> tuple[date, date]:
    word = match.group()
    if word in ("今日", "本日", "today"):
        return today, today
    if word in ("明日", "tomorrow"):
        return _build_one_day_span(today, 1)
    if word == "明後日":
        return _build_one_day_span(today, 2)
    monday = today - timedelta(days=today.weekday())
    weeks = {"今週": 0, "this week": 0, "来週": 1, "next week": 1, "再来週": 2}
    if word in weeks:
        first = monday + timedelta(weeks=weeks[word])
        return first, first + timedelta(days=6)
    months = {"今月": 0, "this month": 0, "来月": 1, "next month": 1, "再来月": 2}
    first = add_months(month_first(today), months[word])
    return first, month_last(first)


def _build_one_day_span(today: date, later: int) -> tuple[date, date]:
    day = today + timedelta(days=later)
    return day, day


_JAPANESE_MONTH: Final = r"(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})日)?"
_ENGLISH: Final = re.compile(
    rf"(?:\b(?P<before>\d{{1,2}}){_ORDINAL}?(?: of)? )?\b(?P<month>{_NAMED})"
    rf"(?:,? (?P<year2>\d{{4}})\b| (?:the )?(?P<after>\d{{1,2}}){_ORDINAL}?(?![\d,]*\d|万|円)"
    r"(?:,? (?P<year>\d{4})\b)?)?"
)
_RELATIVE: Final = re.compile(
    r"明後日|明日|今日|本日|再来週|来週|今週|再来月|来月|今月"
    r"|\b(?:today|tomorrow|this week|next week|this month|next month)\b"
)
_READERS: Final[tuple[tuple[re.Pattern[str], Reader | None], ...]] = (
    # Era years and years in words are matched and never read, so no part is taken for a date.
    (re.compile(r"(?:令和|平成)[\d元一二三四五六七八九十]+年(?:\d+月)?(?:\d+日)?"), None),
    (re.compile(r"[一二三四五六七八九十]+月(?:[一二三四五六七八九十]+日)?"), None),
    (
        re.compile(r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)"),
        _read_numeric_date,
    ),
    (re.compile(rf"(?:(?<!\d)(?P<year>\d{{4}})年 ?)?(?<!\d){_JAPANESE_MONTH}"), _read_numeric_date),
    (_ENGLISH, _read_english_date),
    (
        re.compile(r"(?<![\d/.])(?P<year>)(?P<month>\d{1,2})/(?P<day>\d{1,2})(?![\d/])"),
        _read_numeric_date,
    ),
    (_RELATIVE, _read_relative_days),
    # A day without a month ("on the 15th", 15日), but no length of time.
    (re.compile(r"(?<!\d)\d{1,2}日(?![間前以目後分])"), None),
    (re.compile(rf"\b\d{{1,2}}{_ORDINAL}\b(?! (?:floor|time|year|month|room|and \d))"), None),
)
