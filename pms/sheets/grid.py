"""A table as a grid of rows, each with its place, and what is broken in a row."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from pms.sheets.tables import XLSX, Table
from pms.sheets.text_records import NO_FAULTS, CellFault


class RowFault(StrEnum):
    """Why the cells of a row do not stand under their heads."""

    BROKEN_QUOTES = "broken_quotes"
    """The quotation marks are broken; the cells are a guess."""
    TOO_MANY_CELLS = "too_many_cells"
    """A comma in an amount that is not quoted makes two cells of one."""
    TOO_FEW_CELLS = "too_few_cells"
    SPLIT_AMOUNT = "split_amount"
    """An amount in two cells, "50" and "000", in a row that has as many cells as its head."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of a table: where a person sees it, its cells as text, and what is odd about it."""

    at: str
    """`Sheet!7`, `line 7`, or `record 7` in a text with line breaks inside cells."""
    number: int
    """The number of the row in its sheet, or of the record in its text, from 1."""
    line: int
    """The first line of a text; the row in a sheet."""
    cells: tuple[str, ...]
    is_hidden: bool = False
    is_broken: bool = False
    faults: Mapping[int, CellFault] = field(default_factory=lambda: NO_FAULTS)
    """The cells that a spreadsheet changed, by their columns from 0."""

    @property
    def is_blank(self) -> bool:
        return not any(cell.strip() for cell in self.cells)

    @property
    def filled(self) -> tuple[int, ...]:
        """The columns with a text in them, from 0."""
        return tuple(place for place, cell in enumerate(self.cells) if cell.strip())


@dataclass(frozen=True, slots=True)
class Grid:
    """All rows of a table, blank ones too."""

    name: str
    """The name of the sheet; a text has none."""
    encoding: str
    rows: tuple[GridRow, ...]
    hidden_columns: frozenset[int] = frozenset()
    is_hidden: bool = False
    counts_from_1904: bool = False

    @property
    def is_text(self) -> bool:
        """Whether it is a text, whose rows end where their last cell ends."""
        return self.encoding != XLSX

    @property
    def width(self) -> int:
        """The number of columns."""
        return max((len(row.cells) for row in self.rows), default=0)

    def place_of(self, row: GridRow, column: int) -> str:
        """Return the place of a cell as a person names it: `Sheet!C7`, else that of its row."""
        return row.at if self.is_text else f"{self.name}!{column_letters(column)}{row.number}"


def read_grid(table: Table) -> Grid:
    """Return a table with every row of it."""
    records = list(table.records())
    has_breaks = any(record.line != record.number for record in records)
    word, is_text = "record" if has_breaks else "line", table.encoding != XLSX
    rows = tuple(
        GridRow(
            f"{word} {record.number}" if is_text else f"{table.name}!{record.number}",
            record.number,
            record.line,
            record.cells,
            record.number in table.hidden_rows,
            record.is_broken,
            record.faults,
        )
        for record in records
    )
    return Grid(
        table.name, table.encoding, rows, table.hidden, table.is_hidden, table.counts_from_1904
    )


def usual_width(rows: Iterable[GridRow]) -> int:
    """Return the number of cells that most rows of a table have, its head among them."""
    widths = Counter(len(row.cells) for row in rows if not row.is_blank and not row.is_broken)
    return max(widths, key=lambda width: (widths[width], -width), default=0)


def row_fault(row: GridRow, head: GridRow, usual: int, *, is_text: bool) -> RowFault | None:
    """Return why the cells of a row do not stand under the head; None when they do.

    `usual` is the width of most rows, the head among them. In a workbook every cell has its column, so
    that only a filled cell beside the table is odd; a text whose lines all end with a separator
    has one blank cell more in each.
    """
    if row.is_broken:
        return RowFault.BROKEN_QUOTES
    width = len(head.cells)
    if any(place >= width for place in row.filled):
        return RowFault.TOO_MANY_CELLS
    if not is_text:
        return None
    if len(row.cells) > max(width, usual):
        return RowFault.TOO_MANY_CELLS
    return RowFault.TOO_FEW_CELLS if len(row.cells) < min(width, usual) else None


def is_split_amount(left: str, right: str, *, is_number: bool = True) -> bool:
    """Whether two cells beside each other are one amount that a comma divided: "50" and "000".

    Only where the left one is under money: a house 1 may have a room 001. Where the right one is no
    number of its own by its heading, any three digits are the rest of the amount.
    """
    rest = _AFTER_COMMA if is_number else _THREE_DIGITS
    return bool(_BEFORE_COMMA.fullmatch(left.strip()) and rest.fullmatch(right.strip()))


def is_repeated(row: Sequence[str], head: Sequence[str]) -> bool:
    """Whether a row is its table's head once more, as at the top of each printed page."""
    return any(cell.strip() for cell in row) and _trim_cells(row) == _trim_cells(head)


def _trim_cells(cells: Sequence[str]) -> list[str]:
    found = [cell.strip() for cell in cells]
    while found and not found[-1]:
        found.pop()
    return found


_BEFORE_COMMA: Final = re.compile(r"[¥￥\\]?[1-9]\d{0,2}")
_AFTER_COMMA: Final = re.compile(r"0\d{2}円?")
_THREE_DIGITS: Final = re.compile(r"\d{3}円?")
_MONTHS: Final = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_CHANGED: Final = re.compile(
    r"\d{1,2}月\d{1,2}日|(?:19|20)\d\d[/.\-年]\d{1,2}(?:[/.\-月]\d{1,2}日?|月)?(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?"
    rf"|\d{{1,2}}-(?:{_MONTHS})(?:-\d{{2,4}})?|(?:{_MONTHS})-\d{{1,2}}"
    r"|\d{1,2}:\d\d(?::\d\d)?|true|false|\d(?:\.\d+)?e[+\-]\d+"
    r"|=.+",
    re.IGNORECASE,
)
_ERROR: Final = re.compile(
    r"#(?:n/a|ref!|value!|name\?|div/0!|null!|num!|spill!|calc!|error!?|#+)", re.IGNORECASE
)


def is_error(text: str) -> bool:
    """Whether a cell is the name of an error: #N/A, #REF!, ###."""
    written = text.strip()
    if not written.startswith(("#", "＃", "﹟")):
        return False
    return _ERROR.fullmatch(unicodedata.normalize("NFKC", written)) is not None


def is_changed(name: str) -> bool:
    """Whether a name, such as a room's, is what a spreadsheet makes of it: a day, TRUE, #N/A."""
    plain = unicodedata.normalize("NFKC", name).strip()
    return is_error(plain) or _CHANGED.fullmatch(plain) is not None


def column_letters(place: int) -> str:
    """Return a column's letters, from 0: A, B, ... Z, AA."""
    letters = ""
    number = place + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
