"""How the files of a take-over are to be read, where a person said so: sheets, heads, columns, days.

What is left open here is worked out from the file and asked about.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from pms.rules.roll_heads import DayOrder, Meaning
from pms.rules.roll_legends import Sign


class Direction(StrEnum):
    """How the records of a table run."""

    DOWN = "down"
    """A record is a row, the heads are in a row."""
    ACROSS = "across"
    """A record is a column, the heads are in a column."""


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """How one column is read; None leaves it to the program."""

    meaning: Meaning | None = None
    """`Meaning.PASSED_OVER` for a column that is not needed."""
    unit: int | None = None
    """The yen that a 1 is: 1, 1,000 or 10,000."""
    sign: Sign | None = None
    """What a figure without a sign is: owed, or money ahead."""
    days: DayOrder | None = None

    def shape(self) -> dict[str, Any]:
        """Return the reading as JSON data, without what is left open."""
        facts = {
            "meaning": self.meaning,
            "unit": self.unit,
            "sign": self.sign,
            "days": self.days,
        }
        return {name: value for name, value in facts.items() if value is not None}

    @classmethod
    def from_shape(cls, facts: Mapping[str, Any]) -> "ColumnReading":
        """Return the reading of `shape`; raises `ValueError` for a word that is none."""
        return cls(
            Meaning(facts["meaning"]) if facts.get("meaning") else None,
            int(facts["unit"]) if facts.get("unit") else None,
            Sign(facts["sign"]) if facts.get("sign") else None,
            DayOrder(facts["days"]) if facts.get("days") else None,
        )


_RANGE: Final = re.compile(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})")


@dataclass(frozen=True, slots=True)
class CellRange:
    """A block of a sheet, such as A3:H20: rows from 1 and columns from 0, both ends included."""

    first_row: int
    last_row: int
    first_column: int
    last_column: int

    @classmethod
    def read(cls, text: str) -> "CellRange":
        """Return the range of a text; raises `ValueError` for any other text."""
        found = _RANGE.fullmatch(text.strip().upper().replace("$", ""))
        if found is None:
            raise ValueError(text)
        rows, columns = (
            sorted((int(found[2]), int(found[4]))),
            sorted(map(_read_column_letters, (found[1], found[3]))),
        )
        return cls(rows[0], rows[1], columns[0], columns[1])


def _read_column_letters(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


@dataclass(frozen=True, slots=True)
class SheetReading:
    """How one sheet is read; what is None or empty is left to the program."""

    is_read: bool | None = None
    header_row: int | None = None
    """The row of the heads, or their lower line, as a person numbers it: from 1.

    Of a sheet whose records run across it is the column of the heads, A being 1.
    """
    blocks: tuple[str, ...] = ()
    """The tables, such as A3:H20; empty for the whole sheet."""
    direction: Direction | None = None
    building: str = ""
    columns: Mapping[int, ColumnReading] = field(default_factory=dict)
    """By the column in the sheet, A being 0; by the row, 1 being 0, when records run across."""

    def shape(self) -> dict[str, Any]:
        """Return the reading as JSON data, without what is left open."""
        facts: dict[str, Any] = {
            "isRead": self.is_read,
            "headerRow": self.header_row,
            "blocks": list(self.blocks) or None,
            "direction": self.direction,
            "building": self.building or None,
            "columns": {str(place): column.shape() for place, column in self.columns.items()}
            or None,
        }
        return {name: value for name, value in facts.items() if value is not None}

    @classmethod
    def from_shape(cls, facts: Mapping[str, Any]) -> "SheetReading":
        """Return the reading of `shape`; raises `ValueError` for what is none."""
        blocks = tuple(str(block) for block in facts.get("blocks") or ())
        for block in blocks:
            CellRange.read(block)
        return cls(
            facts.get("isRead"),
            int(facts["headerRow"]) if facts.get("headerRow") else None,
            blocks,
            Direction(facts["direction"]) if facts.get("direction") else None,
            str(facts.get("building") or ""),
            {
                int(place): ColumnReading.from_shape(column)
                for place, column in (facts.get("columns") or {}).items()
            },
        )


NO_READING: Final = SheetReading()
NO_TYPED: Final[Mapping[str, Mapping[Meaning, int]]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class FileDays:
    """The day that a file is of, and the last day billed of its tenancies; None where not known."""

    as_of: date | None = None
    billed_through: date | None = None


NO_DAYS: Final = FileDays()


@dataclass(frozen=True, slots=True)
class Instructions:
    """How all files of a take-over are read."""

    days: Mapping[str, FileDays] = field(default_factory=dict)
    """By the name of a file; files of one import may be of several days."""
    sheets: Mapping[str, SheetReading] = field(default_factory=dict)
    """By the key of a sheet: `SheetPreview.key`."""
    learnt: Mapping[str, ColumnReading] = field(default_factory=dict)
    """What was chosen for columns of earlier files, by `fold_title` of their titles."""
    typed: Mapping[str, Mapping[Meaning, int]] = field(default_factory=lambda: NO_TYPED)
    """Whole yen that a person typed over rents and fees, by the place of the row."""

    def days_of(self, file_name: str) -> FileDays:
        """Return the days that a person gave for a file."""
        return self.days.get(file_name, NO_DAYS)

    def of_sheet(self, key: str) -> SheetReading:
        """Return what is said about a sheet."""
        return self.sheets.get(key, NO_READING)


NO_INSTRUCTIONS: Final = Instructions()
