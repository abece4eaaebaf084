"""Knows the columns of a sheet by the names real exports give them, in Japanese and English."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pms.arrivals.sheets.reasons import SheetRefused
from pms.arrivals.sheets.records import Record

# Exports put a title or the day of printing above the header; a header further down is none.
_LAST_HEADER_RECORD: Final = 20
NOTHING_TOLD: Final[Mapping[str, str]] = MappingProxyType({})
_UNIT_IN_BRACKETS: Final = re.compile(r"[(\[【].*?[)\]】]")
_SPACES_AND_JOINS: Final = re.compile(r"[\s_\-・.:*]+")


@dataclass(frozen=True, slots=True)
class Column:
    """What a column means, the names it goes by, and whether the sheet is useless without it."""

    key: str
    names: tuple[str, ...]
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Header:
    """Where each known column stands, the header as written, and the columns nobody reads."""

    record: Record
    places: dict[str, int]
    unread: tuple[str, ...]

    @property
    def width(self) -> int:
        return len(self.record.cells)

    def title(self, key: str) -> str:
        """The column's name as this sheet spells it."""
        place = self.places.get(key)
        return key if place is None else self.record.cells[place].strip()


def folded(name: str) -> str:
    """A column's name without case, width, spaces, joins or a unit in brackets."""
    plain = unicodedata.normalize("NFKC", name).casefold().strip("\ufeff \u3000")
    return _SPACES_AND_JOINS.sub("", _UNIT_IN_BRACKETS.sub("", plain))


def find_header(
    records: Iterable[Record], columns: Sequence[Column], told: Mapping[str, str] = NOTHING_TOLD
) -> Header:
    """The first record that names the required columns; refuses a sheet without one.

    `told` names the title of a column where a person said which it is; no other title is it then.
    """
    known = {
        folded(name): column.key
        for column in columns
        if column.key not in told
        for name in (column.key, *column.names)
    }
    known |= {folded(title): key for key, title in told.items() if title}
    best: dict[str, int] = {}
    for record in records:
        if record.number > _LAST_HEADER_RECORD:
            break
        places = _places(record, known)
        if len(places) > 1 and _missing(places, columns) == ():
            return _header(record, places, known)
        best = max(best, places, key=len)
    raise _no_header(best, columns)


def _places(record: Record, known: dict[str, str]) -> dict[str, int]:
    places: dict[str, int] = {}
    for place, name in enumerate(record.cells):
        if (key := known.get(folded(name))) is not None:
            places.setdefault(key, place)
    return places


def _header(record: Record, places: dict[str, int], known: dict[str, str]) -> Header:
    taken = set(places.values())
    for place, name in enumerate(record.cells):
        key = known.get(folded(name))
        if key is not None and place not in taken:
            first = record.cells[places[key]].strip()
            raise SheetRefused("column_twice", second=name.strip(), first=first, line=record.line)
    unread = tuple(
        name.strip()
        for place, name in enumerate(record.cells)
        if place not in taken and name.strip()
    )
    return Header(record, places, unread)


def _missing(places: dict[str, int], columns: Sequence[Column]) -> tuple[str, ...]:
    return tuple(
        _bilingual(column) for column in columns if column.is_required and column.key not in places
    )


def _bilingual(column: Column) -> str:
    japanese = next((name for name in column.names if not name.isascii()), column.key)
    return f"{column.key} ({japanese})"


def _no_header(best: dict[str, int], columns: Sequence[Column]) -> SheetRefused:
    missing = _missing(best, columns)
    return SheetRefused("columns_missing", columns=", ".join(missing))


def likely_titles(records: Iterable[Record]) -> tuple[str, ...]:
    """The cells of the record among the first that names most, for a person to choose from."""
    best: tuple[str, ...] = ()
    for record in records:
        if record.number > _LAST_HEADER_RECORD:
            break
        titles = tuple(name.strip() for name in record.cells if name.strip())
        best = max(best, titles, key=len)
    return best
