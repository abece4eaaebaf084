"""Reads the cells that hold a day, in the ways Japanese offices write one."""

import re
from datetime import date
from typing import Final, NamedTuple

from pms.arrivals.sheets.cells import Unreadable, narrow, trimmed
from pms.rules.days import FIRST_DAY, LAST_DAY

# The first day of each era; its year 1 is the calendar year of that day.
ERAS: Final = {
    "明治": date(1868, 10, 23),
    "大正": date(1912, 7, 30),
    "昭和": date(1926, 12, 25),
    "平成": date(1989, 1, 8),
    "令和": date(2019, 5, 1),
}
_LETTERS: Final = dict(zip("MTSHR", ERAS, strict=True))
_DAY: Final = re.compile(
    rf"(?P<era>[MTSHR]|{'|'.join(ERAS)})?(?P<year>[0-9]{{1,4}}|元)"
    r"(?P<joins>[/.\-年])(?P<month>[0-9]{1,2})(?P<and>[/.\-月])(?P<day>[0-9]{1,2})(?P<end>日?)",
    re.IGNORECASE,
)
_JOINS: Final = frozenset({"//", "..", "--", "年月日"})
# Spreadsheets write a day's midnight when the column once held instants.
_MIDNIGHT: Final = re.compile(r"[ T]0?0:00(?::00)?$")
_WESTERN_DIGITS: Final = 4
# The last year of each era that is over.
_LAST_YEARS: Final = {"明治": 45, "大正": 15, "昭和": 64, "平成": 31}
_ERA_YEAR: Final = re.compile(
    rf"(?P<era>[MTSH]|{'|'.join(_LAST_YEARS)})(?P<year>[0-9]{{1,4}})[/.\-年]", re.IGNORECASE
)
_BETWEEN: Final = re.compile(r"\s*(?:[~〜―—–ー→⇒\-−]|から|至|\bto\b|\buntil\b)\s*", re.IGNORECASE)
_FROM: Final = re.compile(r"^(?:自|from\b)\s*", re.IGNORECASE)
_UNTIL: Final = re.compile(r"\s*(?:まで|迄)$")


class Term(NamedTuple):
    """The first and the last day of a contract; without a last day it is open-ended."""

    start_on: date
    end_on: date | None


def day(cell: str) -> date | None:
    """The day a cell names, Western or of an era; None when blank."""
    plain = _MIDNIGHT.sub("", narrow(trimmed(cell)))
    if not plain:
        return None
    match = _DAY.fullmatch(re.sub(r"\s+", "", plain))
    if match is None or match["joins"] + match["and"] + match["end"] not in _JOINS:
        raise Unreadable("not_a_date")
    found = _day_of(_year(match), int(match["month"]), int(match["day"]))
    _refuse_before_its_era(match["era"], found)
    return found


def required_day(cell: str) -> date:
    """A day that must be there."""
    found = day(cell)
    if found is None:
        raise Unreadable("missing_date")
    return found


def is_past_its_era(cell: str) -> bool:
    """Whether a day is told in a year its era never had: 平成39年 is 2027 by counting on."""
    return any(
        int(found["year"]) > _LAST_YEARS[_era(found["era"])]
        for found in _ERA_YEAR.finditer(re.sub(r"\s+", "", narrow(cell)))
    )


def term(cell: str) -> Term | None:
    """The two days of a period in one cell, whatever stands between them; None when blank.

    Without a day after the sign between them the contract is open-ended.
    """
    plain = _UNTIL.sub("", _FROM.sub("", narrow(trimmed(cell))))
    if not plain:
        return None
    for sign in _BETWEEN.finditer(plain):
        try:
            start_on = required_day(plain[: sign.start()])
        except Unreadable:
            # A sign within a day, or nothing that is a day before it: the next one may be it.
            continue
        return Term(start_on, day(plain[sign.end() :]))
    raise Unreadable("not_a_term")


def _year(match: re.Match[str]) -> int:
    written, era = match["year"], match["era"]
    if era is not None:
        return ERAS[_era(era)].year + (1 if written == "元" else int(written)) - 1
    if written == "元" or len(written) != _WESTERN_DIGITS:
        raise Unreadable("two_digit_year")
    return int(written)


def _era(written: str) -> str:
    return _LETTERS.get(written.upper(), written)


def _day_of(year: int, month: int, day_of_month: int) -> date:
    try:
        found = date(year, month, day_of_month)
    except ValueError:
        raise Unreadable("no_such_day") from None
    if not FIRST_DAY <= found <= LAST_DAY:
        raise Unreadable("day_out_of_range", first=FIRST_DAY.isoformat(), last=LAST_DAY.isoformat())
    return found


def _refuse_before_its_era(era: str | None, found: date) -> None:
    """平成33年 in an old contract is 2021 beyond doubt; 令和元年1月1日 never was."""
    if era is not None and found < ERAS[_era(era)]:
        raise Unreadable("no_such_day")
