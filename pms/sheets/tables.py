"""The tables of a file: the text itself, or the sheets of a workbook."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from pms.sheets.refusals import SheetRefused
from pms.sheets.text_records import TextRecord, read_records
from pms.sheets.texts import MOST_BYTES, decode, delimiter_of, refuse_size
from pms.sheets.workbook import ZIP
from pms.sheets.workbook_process import read_sheets

XLSX: Final = "xlsx"
_OLD_WORKBOOK: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a file: a whole text, which has no name, or a sheet of a workbook."""

    name: str
    encoding: str
    """The encoding of the text, or `xlsx`."""
    records: Callable[[], Iterator[TextRecord]]
    """Yields the records from the first one, on each call."""
    hidden: frozenset[int] = frozenset()
    """The columns that the spreadsheet hides, from 0."""
    hidden_rows: frozenset[int] = frozenset()
    """The rows that the spreadsheet hides, by their numbers."""
    is_hidden: bool = False
    """Whether the spreadsheet hides the whole sheet."""
    counts_from_1904: bool = False
    """Whether serial numbers of days count from 1904, as in old workbooks of a Mac."""


def open_tables(data: bytes, most_bytes: int = MOST_BYTES) -> tuple[Table, ...]:
    """Return the shown tables of a file in order, at least one; refuse a file without any."""
    return tuple(table for table in open_all_tables(data, most_bytes) if not table.is_hidden)


def open_all_tables(data: bytes, most_bytes: int = MOST_BYTES) -> tuple[Table, ...]:
    """Return the tables of a file in order, hidden sheets last; refuse a file without any."""
    refuse_size(data, most_bytes)
    if data.startswith(_OLD_WORKBOOK):
        raise SheetRefused("workbook")
    if data.startswith(ZIP):
        return tuple(
            Table(**{**sheet, "encoding": XLSX, "records": partial(iter, sheet["records"])})
            for sheet in read_sheets(data)
        )
    text, encoding = decode(data, most_bytes)
    # All at once: a text whose last line cannot be read is refused before anybody stores it.
    records = tuple(read_records(text, delimiter_of(text)))
    return (Table("", encoding, partial(iter, records)),)
