"""Every sheet of a take-over as a person sees it: its first rows, its columns and how they are read.

What is not read is here too, so that a person can say which row is the head and what columns mean.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pms.arrivals.takeover.instructions import Direction
from pms.rules.roll_heads import DayOrder, Meaning
from pms.rules.roll_legends import Sign


class CellUse(StrEnum):
    """What becomes of a cell of a file."""

    READ = "read"
    PASSED_OVER = "passedOver"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class PreviewColumn:
    """A column of a sheet, or a row of one whose records run across, and how it is read now."""

    place: int
    """From 0 in the sheet."""
    letters: str
    """`C`; of a sheet whose records run across the number of the row."""
    title: str
    examples: tuple[str, ...]
    meaning: Meaning | None
    unit: int
    sign: Sign | None
    days: DayOrder | None
    legend: str
    """The words of the sheet that say what a sign in the column is; empty if there are none."""
    use: CellUse
    is_money: bool
    is_days: bool
    takes_sign: bool
    is_hidden: bool
    is_asked: bool
    is_chosen: bool

    def shape(self) -> dict[str, Any]:
        """Return the column as JSON data."""
        return {
            "column": self.letters,
            "title": self.title,
            "meaning": self.meaning,
            "use": self.use,
        }


@dataclass(frozen=True, slots=True)
class SheetPreview:
    """A sheet of a file: its first rows, its columns, and what was done with its cells."""

    key: str
    file: str
    name: str
    role: str
    is_read: bool
    direction: Direction
    blocks: tuple[str, ...]
    building: str | None
    row_count: int
    width: int
    rows: tuple[tuple[int, tuple[str, ...], bool], ...]
    """The first rows around the head: number, cells, and whether the row is hidden."""
    header_rows: tuple[int, ...]
    """The rows of the heads; of a sheet whose records run across their column, A being 1."""
    columns: tuple[PreviewColumn, ...]
    why: str
    """Why nothing was read: empty, hidden, not_chosen, no_head, other_sheet; else empty."""
    uses: Mapping[CellUse, int]
    """How many filled cells were read, passed over with a reason, or are asked about."""

    def shape(self) -> dict[str, Any]:
        """Return the preview as JSON data: every column, and the count of cells."""
        return {
            "sheet": self.name,
            "file": self.file,
            "isRead": self.is_read,
            "why": self.why,
            "columns": [column.shape() for column in self.columns],
            "cells": {use.value: self.uses.get(use, 0) for use in CellUse},
        }
