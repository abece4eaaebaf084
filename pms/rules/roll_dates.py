"""Days, months and terms as people write them into a rent roll."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from pms.rules.days import MONTH_NAMES, add_months, month_last
from pms.rules.roll_cells import plain
from pms.rules.roll_heads import DayOrder

_ERAS: Final = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
_LETTERS: Final = dict(zip("MTSHR", _ERAS.values(), strict=True))
_DAY: Final = re.compile(
    r"(?<![\d.])(?:(?P<era>明治|大正|昭和|平成|令和|[明大昭平令MTSHR])\s?\.?(?P<eray>\d{1,2}|元)|(?P<year>(?:19|20)\d\d))"
    r"\s?(?:年|[/.\-])\s?(?P<month>\d{1,2})\s?(?:月|[/.\-])\s?(?P<day>\d{1,2}|末)日?(?!\d)"
    r"|(?P<mname>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?P<mday>\d{1,2})(?:st|nd|rd|th)?,? (?P<myear>20\d\d)"
    r"|(?P<dday>\d{1,2})(?:st|nd|rd|th)?[ \-](?:of )?(?P<dname>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?[ \-](?P<dyear>20\d\d)"
    r"|(?<![A-Za-z\d])(?P<cera>[MTSHR])(?P<cyear>\d{1,2})(?P<cmonth>0[1-9]|1[0-2])(?P<cday>0[1-9]|[12]\d|3[01])(?!\d)"
    r"|(?<![\d./\-])(?P<bmonth>1[0-2]|0?[1-9])(?:/|月)(?P<bday>3[01]|[12]\d|0?[1-9]|末)日?(?![\d/]|[ヶケカヵか]月)",
    re.IGNORECASE,
)
_SERIAL: Final = re.compile(r"[2-7]\d{4}(?:\.0)?")
_MONTH_ONLY: Final = re.compile(
    r"(?:(?P<era>令和|平成|昭和|[昭平令RHS])(?P<eray>\d{1,2}|元)|(?P<year>20\d\d))(?:年|[/.\-])?(?P<month>0[1-9]|1[0-2]|[1-9])月?分?"
    r"(?:まで|迄)?",
    re.IGNORECASE,
)
_MONTH_IN_ENGLISH: Final = re.compile(
    r"(?:end of )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[ \-,']*(20\d\d)",
    re.IGNORECASE,
)
_JOINED_DIGITS: Final = re.compile(r"(19[2-9]\d|20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_DAY_AND_MONTH: Final = re.compile(r"(\d{1,2})([/.\-])(\d{1,2})\2(20\d\d|19\d\d)")
_SHORT_YEAR: Final = re.compile(r"'?(\d\d)([/.\-])(\d{1,2})\2(\d{1,2})")
_FIRST_SERIAL_DAY: Final = date(1899, 12, 30)
_FIRST_SERIAL_DAY_OF_1904: Final = date(1904, 1, 1)
# A year of two digits up to this one may be of the era as well.
_LONGEST_REIWA: Final = 15
_YEARS_BEFORE: Final = 30
_YEARS_AFTER: Final = 15
_LENGTH: Final = re.compile(
    r"(?:(?P<years>\d{1,2}(?:\.5)?|[一二三四五六七八九十])\s*(?:年間?|か年|ヶ年|years?|yrs?))?\s*(?:(?P<half>半年|半)|(?P<months>\d{1,3})\s*(?:[ヶケカヵか個箇]月間?|months?|mos?))?",
    re.IGNORECASE,
)


class FoundDay(NamedTuple):
    """A day in a text, and its position."""

    start: int
    end: int
    day: date


def days_in(text: str, near: date) -> Iterator[FoundDay]:
    """The days in a text; one without a year is the one nearest to `near`."""
    for found in _DAY.finditer(plain(text)):
        day = _day_of(found, near)
        if day is not None:
            yield FoundDay(found.start(), found.end(), day)


def _day_of(found: re.Match[str], near: date) -> date | None:
    if found["mname"] or found["dname"]:
        name = (found["mname"] or found["dname"]).lower()
        day = found["mday"] or found["dday"]
        return _date_of_parts(
            int(found["myear"] or found["dyear"]), MONTH_NAMES.index(name) + 1, day
        )
    if found["cera"]:
        year = _LETTERS[found["cera"].upper()] + int(found["cyear"])
        return _date_of_parts(year, int(found["cmonth"]), found["cday"])
    if found["bmonth"]:
        years = (near.year - 1, near.year, near.year + 1)
        near_by = [_date_of_parts(year, int(found["bmonth"]), found["bday"]) for year in years]
        return min((day for day in near_by if day), key=lambda day: abs(day - near), default=None)
    return _date_of_parts(_read_year(found), int(found["month"]), found["day"])


def _read_year(found: re.Match[str]) -> int:
    if found["year"]:
        return int(found["year"])
    era = found["era"]
    before = _LETTERS.get(era.upper()) or next(
        year for name, year in _ERAS.items() if name.startswith(era)
    )
    return before + (1 if found["eray"] == "元" else int(found["eray"]))


def _date_of_parts(year: int, month: int, day: str) -> date | None:
    try:
        first = date(year, month, 1)
        return month_last(first) if day == "末" else first.replace(day=int(day))
    except ValueError:
        return None


def day_order(cells: Iterable[str]) -> DayOrder | None:
    """How a table writes days with the year last, where one of its cells leaves no doubt."""
    found: set[DayOrder] = set()
    for cell in cells:
        written = _DAY_AND_MONTH.fullmatch(_bare_day(cell))
        if written and int(written[1]) > 12 >= int(written[3]):
            found.add(DayOrder.DAY_FIRST)
        elif written and int(written[3]) > 12 >= int(written[1]):
            found.add(DayOrder.MONTH_FIRST)
    return found.pop() if len(found) == 1 else None


def has_year_last(cell: str) -> bool:
    """Whether a cell is a day with its year last, in which day and month may be changed about."""
    return _DAY_AND_MONTH.fullmatch(_bare_day(cell)) is not None


def _bare_day(cell: str) -> str:
    bare = re.sub(r"[ T]0?0:00(?::00)?$", "", plain(cell))
    return re.sub(r"\s*(?:~|まで|迄|より|から|\([月火水木金土日]\))+$", "", bare)


@lru_cache(maxsize=8192)
def whole_day(cell: str, order: DayOrder | None = None) -> date | None:
    """The day that is all a cell says: Western, of an era, or a spreadsheet's serial number.

    A day with its year last is read only where `order` says which number is the day, or where only
    one of them can be; 01.04.2025 with dots has the day first everywhere.
    """
    bare = _bare_day(cell)
    if is_serial(bare):
        return _serial_day(bare, order)
    if joined := _JOINED_DIGITS.fullmatch(bare):
        return _date_of_parts(int(joined[1]), int(joined[2]), joined[3])
    if order is DayOrder.YEAR_FIRST and (short := _SHORT_YEAR.fullmatch(bare)):
        return _date_of_parts(2000 + int(short[1]), int(short[3]), short[4])
    if written := _DAY_AND_MONTH.fullmatch(bare):
        return _year_last(written, day_order([bare]) or order)
    found = _DAY.fullmatch(bare)
    return None if found is None or found["bmonth"] else _day_of(found, date.min)


def _year_last(written: re.Match[str], order: DayOrder | None) -> date | None:
    first, other, year = written[1], written[3], int(written[4])
    if order is DayOrder.MONTH_FIRST:
        return _date_of_parts(year, int(first), other)
    if order is DayOrder.DAY_FIRST or written[2] == "." or first == other:
        return _date_of_parts(year, int(other), first)
    return None


def is_serial(cell: str) -> bool:
    """Whether a cell is the serial number that a spreadsheet has for a day."""
    return _SERIAL.fullmatch(plain(cell)) is not None


def _serial_day(number: str, form: DayOrder | None = None) -> date:
    is_1904 = form is DayOrder.SERIAL_1904
    first = _FIRST_SERIAL_DAY_OF_1904 if is_1904 else _FIRST_SERIAL_DAY
    return first + timedelta(days=int(float(number)))


def short_year_day(cell: str, near: date) -> date | None:
    """The day of a cell whose year has two digits, year first: 26.09.30; to be asked about.

    None for a year that no tenancy near a day has.
    """
    written = _SHORT_YEAR.fullmatch(_bare_day(cell))
    if written is None:
        return None
    found = _date_of_parts(2000 + int(written[1]), int(written[3]), written[4])
    if found is None:
        return None
    is_likely = near.year - _YEARS_BEFORE <= found.year <= near.year + _YEARS_AFTER
    return found if is_likely and int(written[1]) > _LONGEST_REIWA else None


def length_in(cell: str) -> int | None:
    """The months of a length alone: 2年, 2年間, 24ヶ月, 1年6ヶ月, 2 years; None for other texts."""
    found = _LENGTH.fullmatch(plain(cell))
    if found is None or not (found["years"] or found["months"] or found["half"]):
        return None
    years = found["years"] or "0"
    number = 10 if years == "十" else "一二三四五六七八九".find(years) + 1 or float(years)
    return int(number * 12) + (6 if found["half"] else 0) + int(found["months"] or 0)


def last_of_length(start: date, months: int) -> date:
    """The last day of a term of so many months."""
    return add_months(start, months) - timedelta(days=1)


def whole_month(cell: str) -> date | None:
    """The first day of the month that is all a cell says: 202612, 2026年12月分, R8.12, Dec 2026."""
    if english := _MONTH_IN_ENGLISH.fullmatch(plain(cell)):
        return date(int(english[2]), MONTH_NAMES.index(english[1].lower()) + 1, 1)
    found = _MONTH_ONLY.fullmatch(plain(cell).removesuffix(".0"))
    return None if found is None else _date_of_parts(_read_year(found), int(found["month"]), "1")


def term_in(cell: str) -> tuple[date, date | None] | None:
    """The first and the last day of a term in one cell; open-ended without a second."""
    bare = plain(cell)
    serials = re.fullmatch(r"([2-7]\d{4})\s*[~\-]\s*([2-7]\d{4})?", bare)
    if serials is not None:
        return _serial_day(serials[1]), _serial_day(serials[2]) if serials[2] else None
    # A day without a year gets the smallest year, in which no term begins.
    first = next(days_in(bare, date.min), None)
    if first is None or first.start > 2 or first.day < _FIRST_SERIAL_DAY:
        return None
    rest = bare[first.end :]
    if last := next(days_in(rest, add_months(first.day, 12)), None):
        return first.day, last.day
    if years := re.search(r"(\d+)\s*年間", rest):
        return first.day, last_of_length(first.day, 12 * int(years[1]))
    return first.day, None
