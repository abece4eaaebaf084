"""Looks for what is read without an error and is most likely wrong: taken once it is confirmed."""

import re
import unicodedata
from contextlib import suppress
from datetime import date
from typing import Final

from pms.arrivals.sheets import cells, days
from pms.arrivals.sheets.cells import Unreadable
from pms.arrivals.sheets.reading import Row

_PARKING: Final = re.compile(
    r"駐車|駐輪|パーキング|車庫|ガレージ|バイク置|トランクルーム|\bparking\b|\bgarage\b|\bcar ?port\b"
    r"|^p[-_ ]?[0-9]{1,2}$",
    re.IGNORECASE,
)
_PLACES: Final = ("building", "unit", "layout")
_PRIVATE: Final = "Co"
_MOST_LETTERS: Final = 5


def look_at_unit(row: Row, rent_key: str, rent_yen: int | None) -> None:
    """Doubt what would be offered: a parking space, and a rent of nothing."""
    for key in _PLACES:
        if _PARKING.search(unicodedata.normalize("NFKC", cells.trimmed(row.cell(key)))):
            row.doubt(key, "parking_space")
            break
    look_at_rent(row, rent_key, rent_yen)
    look_at_letters(row)


def look_at_rent(row: Row, key: str, rent_yen: int | None) -> None:
    """Doubt a rent of 0 yen; a blank cell says that it is not known."""
    if rent_yen == 0:
        row.doubt(key, "rent_zero")


def look_at_days(row: Row, *keys: str) -> None:
    """Doubt years that an era never had: 平成39年 is a slip as often as it is 2027."""
    for key in keys:
        if days.is_past_its_era(cell := row.cell(key)):
            row.doubt(key, "era_over", day=_counted_on(cell))


def _counted_on(cell: str) -> str:
    with suppress(Unreadable):
        return str(days.day(cell))
    with suppress(Unreadable):
        return "～".join(str(day or "") for day in days.term(cell) or ())
    return "?"


def look_at_letters(row: Row) -> None:
    """Doubt cells with letters of a private use area, which show as something else elsewhere."""
    for key in row.header.places:
        found = [one for one in row.cell(key) if unicodedata.category(one) == _PRIVATE]
        if found:
            named = (f"U+{ord(one):04X}" for one in dict.fromkeys(found))
            row.doubt(key, "private_letters", letters=", ".join([*named][:_MOST_LETTERS]))


def look_at_case(row: Row, known: str | None) -> None:
    """Doubt a room whose known spelling differs in nothing but capitals."""
    written = _without_blanks(row.cell("unit"))
    if known and written != (other := _without_blanks(known)) and written.upper() == other.upper():
        row.doubt("unit", "unit_in_other_case", known=known)


def _without_blanks(room: str) -> str:
    plain = "".join(unicodedata.normalize("NFKC", cells.trimmed(room)).split())
    return plain.removesuffix("号室").removesuffix("号")


def building_of(row: Row) -> str | None:
    """The building of a row, from its own cell or from the first row of its block."""
    if cells.trimmed(row.cell("building")):
        return row.read("building", cells.required)
    if not row.building:
        row.refuse("building", "building_missing")
        return None
    try:
        name = cells.required(row.building)
    except Unreadable as refusal:
        row.refuse("building", refusal.reason.code, **refusal.reason.facts)
        return None
    row.note("building", "building_from_above", building=name)
    return name


def unit_of(row: Row) -> str | None:
    """The room of a row."""
    try:
        return cells.room(row.cell("unit"))
    except Unreadable as refusal:
        code = "unit_missing" if refusal.reason.code == "missing" else refusal.reason.code
        row.refuse("unit", code, **refusal.reason.facts)
        return None


def contract_days(row: Row, start_key: str, end_key: str) -> tuple[date | None, date | None]:
    """The first and the last day of a contract, from their own columns or from one for both."""
    known = len(row.problems)
    start_on, end_on = row.read(start_key, days.day), row.read(end_key, days.day)
    term = row.read("term", days.term)
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


def note_formulas(row: Row, *keys: str) -> None:
    """Say of each cell that a spreadsheet would take for a formula that it is kept as text."""
    for key in keys:
        if cells.trimmed(row.cell(key)).startswith(("=", "@")):
            row.note(key, "formula_kept")
