"""Opens a file that holds tables: text of any office's encoding, or an Excel workbook.

Whatever the file was, each table gives records of text cells that know the line or row they start
on, so that whoever reads them need not know where they came from.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from pms.arrivals.sheets.encoding import MOST_BYTES, decode, refuse_size
from pms.arrivals.sheets.reasons import SheetRefused
from pms.arrivals.sheets.records import Record, delimiter_of, read_records
from pms.arrivals.sheets.workbook import ZIP, open_workbook

XLSX: Final = "xlsx"
_OLD_WORKBOOK: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a file: the whole of a text, which has no name, or a sheet of a workbook."""

    name: str
    encoding: str
    """How the text was encoded, or `xlsx`."""
    records: Callable[[], Iterator[Record]]
    """Gives the records from the first one on, each time it is called."""
    hidden: frozenset[int] = frozenset()
    """The columns that a spreadsheet does not show, from 0."""


def open_tables(data: bytes, most_bytes: int = MOST_BYTES) -> tuple[Table, ...]:
    """The tables of a file in their order, at least one; refuses a file that holds none."""
    refuse_size(data, most_bytes)
    if data.startswith(_OLD_WORKBOOK):
        raise SheetRefused("workbook")
    if data.startswith(ZIP):
        book = open_workbook(data)
        return tuple(
            Table(name, XLSX, partial(book.records, name), book.hidden(name)) for name in book.names
        )
    text, encoding = decode(data, most_bytes)
    return (Table("", encoding, partial(read_records, text, delimiter_of(text))),)
