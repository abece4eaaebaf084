"""Looks for what is read without an error and is most likely wrong: taken once it is confirmed."""

import re
import unicodedata
from contextlib import suppress
from typing import Final

from pms.arrivals.sheets import cells, days
from pms.arrivals.sheets.reading import Row
from pms.arrivals.sheets.reasons import Unreadable

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
