"""Reading cells that hold a day, and finding values that are readable but probably wrong."""

import re
import unicodedata
from contextlib import suppress
from datetime import date
from typing import Final, NamedTuple

from pms.arrivals.sheets import cells
from pms.arrivals.sheets.cells import narrow, trim
from pms.arrivals.sheets.reading import SheetRow
from pms.rules.days import FIRST_DAY, LAST_DAY
from pms.sheets.refusals import Unreadable

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
# Spreadsheets append midnight to a day when the column once held times.
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


class SheetTerm(NamedTuple):
    """The first and last day of a contract; without a last day it is open-ended."""

    start_on: date
    end_on: date | None


def read_day(cell: str) -> date | None:
    """Return the day in a cell, in the Western or an era calendar; None when blank."""
    plain = _MIDNIGHT.sub("", narrow(trim(cell)))
    if not plain:
        return None
    match = _DAY.fullmatch(re.sub(r"\s+", "", plain))
    if match is None or match["joins"] + match["and"] + match["end"] not in _JOINS:
        raise Unreadable("not_a_date")
    found = _day_of(_read_year(match), int(match["month"]), int(match["day"]))
    # Refuse a day before its era began (令和元年1月1日); 平成33年, after its end, is 2021.
    era = match["era"]
    if era is not None and found < ERAS[_read_era(era)]:
        raise Unreadable("no_such_day")
    return found


def required_day(cell: str) -> date:
    """Return the day in a cell; raise `Unreadable` when blank."""
    found = read_day(cell)
    if found is None:
        raise Unreadable("missing_date")
    return found


def is_past_its_era(cell: str) -> bool:
    """Whether a day has a year its era never reached: 平成39年 is 2027 by counting on."""
    return any(
        int(found["year"]) > _LAST_YEARS[_read_era(found["era"])]
        for found in _ERA_YEAR.finditer(re.sub(r"\s+", "", narrow(cell)))
    )


def read_term(cell: str) -> SheetTerm | None:
    """Return the two days of a period in one cell, with any separator; None when blank.

    Without a day after the separator the contract is open-ended.
    """
    plain = _UNTIL.sub("", _FROM.sub("", narrow(trim(cell))))
    if not plain:
        return None
    for sign in _BETWEEN.finditer(plain):
        try:
            start_on = required_day(plain[: sign.start()])
        except Unreadable:
            # The sign is part of a day, or no day precedes it: try the next one.
            continue
        return SheetTerm(start_on, read_day(plain[sign.end() :]))
    raise Unreadable("not_a_term")


def _read_year(match: re.Match[str]) -> int:
    written, era = match["year"], match["era"]
    if era is not None:
        return ERAS[_read_era(era)].year + (1 if written == "元" else int(written)) - 1
    if written == "元" or len(written) != _WESTERN_DIGITS:
        raise Unreadable("two_digit_year")
    return int(written)


def _read_era(written: str) -> str:
    return _LETTERS.get(written.upper(), written)


def _day_of(year: int, month: int, day_of_month: int) -> date:
    try:
        found = date(year, month, day_of_month)
    except ValueError:
        raise Unreadable("no_such_day") from None
    if not FIRST_DAY <= found <= LAST_DAY:
        raise Unreadable("day_out_of_range", first=FIRST_DAY.isoformat(), last=LAST_DAY.isoformat())
    return found


_PARKING: Final = re.compile(
    r"駐車|駐輪|パーキング|車庫|ガレージ|バイク置|トランクルーム|\bparking\b|\bgarage\b|\bcar ?port\b"
    r"|^p[-_ ]?[0-9]{1,2}$",
    re.IGNORECASE,
)
_PLACES: Final = ("building", "unit", "layout")
_PRIVATE: Final = "Co"
_MOST_LETTERS: Final = 5


def look_at_unit(row: SheetRow, rent_key: str, rent_yen: int | None) -> None:
    """Doubt a unit that is a parking space, or that has a rent of 0 yen."""
    for key in _PLACES:
        if _PARKING.search(unicodedata.normalize("NFKC", cells.trim(row.cell(key)))):
            row.doubt(key, "parking_space")
            break
    look_at_rent(row, rent_key, rent_yen)
    look_at_letters(row)


def look_at_rent(row: SheetRow, key: str, rent_yen: int | None) -> None:
    """Doubt a rent of 0 yen; a blank cell means that the rent is unknown."""
    if rent_yen == 0:
        row.doubt(key, "rent_zero")


def look_at_days(row: SheetRow, *keys: str) -> None:
    """Doubt years that an era never reached: 平成39年 may be a slip or mean 2027."""
    for key in keys:
        if is_past_its_era(cell := row.cell(key)):
            row.doubt(key, "era_over", day=_counted_on(cell))


def _counted_on(cell: str) -> str:
    with suppress(Unreadable):
        return str(read_day(cell))
    with suppress(Unreadable):
        return "～".join(str(day or "") for day in read_term(cell) or ())
    return "?"


def look_at_letters(row: SheetRow) -> None:
    """Doubt cells with private use characters, which show differently on other computers."""
    for key in row.header.places:
        found = [letter for letter in row.cell(key) if unicodedata.category(letter) == _PRIVATE]
        if found:
            named = (f"U+{ord(letter):04X}" for letter in dict.fromkeys(found))
            row.doubt(key, "private_letters", letters=", ".join([*named][:_MOST_LETTERS]))


def look_at_case(row: SheetRow, known: str | None) -> None:
    """Doubt a room that differs from its known spelling only in letter case."""
    written = spelling_of_room(row.cell("unit"))
    if known and written != (other := spelling_of_room(known)) and written.upper() == other.upper():
        row.doubt("unit", "unit_in_other_case", known=known)


def spelling_of_room(room: str) -> str:
    """Return a room as it is written, without blanks and 号室."""
    plain = "".join(unicodedata.normalize("NFKC", cells.trim(room)).split())
    return plain.removesuffix("号室").removesuffix("号")


def building_of(row: SheetRow) -> str | None:
    """Return the building of a row, from its own cell or from the first row of its block."""
    if cells.trim(row.cell("building")):
        return row.read("building", cells.required_text)
    if not row.building:
        row.refuse("building", "building_missing")
        return None
    try:
        name = cells.required_text(row.building)
    except Unreadable as refusal:
        row.refuse("building", refusal.reason.code, **refusal.reason.facts)
        return None
    row.note("building", "building_from_above", building=name)
    return name


def unit_of(row: SheetRow) -> str | None:
    """Return the room of a row."""
    try:
        return cells.room(row.cell("unit"))
    except Unreadable as refusal:
        code = "unit_missing" if refusal.reason.code == "missing" else refusal.reason.code
        row.refuse("unit", code, **refusal.reason.facts)
        return None


def contract_days(row: SheetRow, start_key: str, end_key: str) -> tuple[date | None, date | None]:
    """Return the first and last day of a contract, from two columns or from one for both."""
    known = len(row.problems)
    start_on, end_on = row.read(start_key, read_day), row.read(end_key, read_day)
    term = row.read("term", read_term)
    look_at_days(row, start_key, end_key, "term")
    if term is not None:
        for key, own, other in (
            (start_key, start_on, term.start_on),
            (end_key, end_on, term.end_on),
        ):
            if own is not None and own != other:
                row.refuse(key, "differs_from_term", day=other.isoformat() if other else "-")
        start_on, end_on = start_on or term.start_on, end_on or term.end_on
    if start_on is None and len(row.problems) == known:
        row.refuse(start_key if start_key in row.header.places else "term", "missing_date")
    return start_on, end_on


def note_formulas(row: SheetRow, *keys: str) -> None:
    """Note on each cell that a spreadsheet would run as a formula that it is kept as text."""
    for key in keys:
        if cells.trim(row.cell(key)).startswith(("=", "@")):
            row.note(key, "formula_kept")
