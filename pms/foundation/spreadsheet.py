"""Writes tables as files that a Japanese spreadsheet opens: CSV in UTF-8 with its mark."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date
from typing import TypeAlias

Cell: TypeAlias = str | int | date | None

# A spreadsheet would run what begins like this.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_file(rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return the rows as a file: numbers as they are, days in ISO form, no text run as a formula."""
    text = io.StringIO()
    csv.writer(text).writerows([_harmless(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def _harmless(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
