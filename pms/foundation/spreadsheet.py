"""Writes tables as files that Japanese spreadsheet programs open: CSV, and workbooks."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Final, TypeAlias, overload
from unicodedata import combining, normalize

Cell: TypeAlias = str | int | date | None

# A spreadsheet runs texts that begin like this as formulas; Japanese ones full-width signs too.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NO_SUCH_LETTER = "〓"
# Signs that Shift_JIS has under another number, and letters that are no letter with an accent.
_ALIKE: Final = str.maketrans("〜−—‖¢£¬ŁłĐđØø", "～－―∥￠￡￢LlDdOo")


def csv_file(rows: Iterable[Sequence[Cell]], encoding: str = "utf-8-sig") -> bytes:
    """Return the rows as CSV: plain numbers, ISO days, no text that runs as a formula.

    UTF-8 with a byte order mark. A letter that another encoding lacks loses its accents; what it
    lacks even so becomes 〓.
    """
    text = io.StringIO()
    csv.writer(text).writerows([harmless(cell) for cell in row] for row in rows)
    return _encode_text(text.getvalue(), encoding)


def _encode_text(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return b"".join(_encode_letter(letter, encoding) for letter in text)


def _encode_letter(letter: str, encoding: str) -> bytes:
    try:
        return letter.encode(encoding)
    except UnicodeEncodeError:
        plain = normalize("NFD", letter.translate(_ALIKE))[:1]
    if combining(plain):
        return b""
    try:
        return plain.encode(encoding)
    except UnicodeEncodeError:
        return _NO_SUCH_LETTER.encode(encoding)


@overload
def harmless(cell: str) -> str: ...
@overload
def harmless(cell: Cell) -> Cell: ...
def harmless(cell: Cell) -> Cell:
    """Return a cell changed so that no spreadsheet runs it as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


_MADE: Final = datetime(2000, 1, 1)  # noqa: DTZ001  # a workbook knows no zones


def xlsx_file(rows: Iterable[Sequence[Cell]], sheet: str) -> bytes:
    """Return the rows as a workbook of one sheet: whole numbers and days typed, all else as text.

    The same rows give the same bytes.
    """
    import xlsxwriter  # type: ignore[import-untyped]

    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        book.set_properties({"created": _MADE})
        table = book.add_worksheet(sheet)
        day = book.add_format({"num_format": "yyyy/mm/dd"})
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                if isinstance(cell, int):
                    table.write_number(row, column, cell)
                elif isinstance(cell, date):
                    table.write_datetime(row, column, cell, day)
                elif cell is not None:
                    table.write_string(row, column, str(cell))
    return file.getvalue()
