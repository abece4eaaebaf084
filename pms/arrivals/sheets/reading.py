"""Reading a sheet: its encoding, its tables and its rows."""

import re
import unicodedata
from collections.abc import Callable, Container, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from pms.arrivals.sheets import cells
from pms.arrivals.sheets.cells import MOST_ROWS
from pms.arrivals.sheets.columns import (
    NO_VALUES,
    PERHAPS,
    Header,
    LinesAbove,
    SheetColumn,
    find_header,
    likely_titles,
)
from pms.sheets.refusals import Remark, SheetReason, SheetRefused, Unreadable
from pms.sheets.tables import Table
from pms.sheets.text_records import TextRecord

T = TypeVar("T")

_LONGEST_SHOWN: Final = 200
_NOTE: Final = re.compile(r"[※＊*注#]|備考|note|入居 ?[0-9]+ ?室", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """The size limits of a sheet, and a person's answers about it.

    `titles` are the titles of columns by their keys, `table` is the sheet of a workbook to read,
    and `confirmed` are the lines that are accepted despite their oddities.
    """

    most_rows: int = MOST_ROWS
    titles: Mapping[str, str] = field(default_factory=lambda: NO_VALUES)
    table: str = ""
    confirmed: Container[int] = ()


@dataclass(slots=True)
class SheetRow:
    """A row being read: its cells by column, and its problems, oddities and notes."""

    record: TextRecord
    header: Header
    building: str = ""
    problems: list[Remark] = field(default_factory=list)
    oddities: list[Remark] = field(default_factory=list)
    notes: list[Remark] = field(default_factory=list)

    @property
    def line(self) -> int:
        return self.record.line

    def cell(self, key: str) -> str:
        """Return the cell of a column as written; blank when the sheet has no such column."""
        found = self.record.cells
        places = [place for place in self.header.places.get(key, ()) if place < len(found)]
        if len(places) == 1:
            return found[places[0]]
        return " ".join(filter(None, (cells.trim(found[place]) for place in places)))

    def read(self, key: str, reader: Callable[[str], T | None]) -> T | None:
        """Return the cell as the reader reads it; a refusal is added to the row's problems."""
        try:
            return reader(self.cell(key))
        except Unreadable as refusal:
            self._add_remark(self.problems, key, refusal.reason)
            return None

    def refuse(self, key: str | None, code: str, **facts: Any) -> None:
        """Add a problem of a column, or of the whole row."""
        self._add_remark(self.problems, key, SheetReason(code, facts))

    def doubt(self, key: str | None, code: str, **facts: Any) -> None:
        """Add an oddity of a column: the row is accepted only once a person confirms it."""
        self._add_remark(self.oddities, key, SheetReason(code, facts))

    def note(self, key: str | None, code: str, **facts: Any) -> None:
        """Add a note about a column, or about the whole row."""
        self._add_remark(self.notes, key, SheetReason(code, facts))

    def _add_remark(self, remarks: list[Remark], key: str | None, reason: SheetReason) -> None:
        column = None if key is None else self.header.title(key)
        value = "" if key is None else cells.trim(self.cell(key))
        remarks.append(Remark(column, value[:_LONGEST_SHOWN], reason))


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A record without a row: header, blank line, subtotal, total or note."""

    record: TextRecord
    code: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet that was read: its header, its rows and the records passed over.

    `others` are the sheets of the same workbook that were not read.
    """

    encoding: str
    header: Header
    rows: tuple[SheetRow, ...]
    passed_over: tuple[PassedOver, ...]
    name: str = ""
    others: tuple[str, ...] = ()


def read_sheet(tables: Sequence[Table], columns: Sequence[SheetColumn], limits: Limits) -> Sheet:
    """Return the rows of the sheet among the tables; refuse one that cannot be read as a whole."""
    table, header = _table_and_header(tables, columns, limits)
    _refuse_many_rows(table, header, limits.most_rows)
    rows: list[SheetRow] = []
    passed_over: list[PassedOver] = []
    for found in _classify_records(table.records(), header):
        if isinstance(found, SheetRow):
            rows.append(found)
        else:
            passed_over.append(found)
    others = tuple(other.name for other in tables if other is not table)
    return Sheet(table.encoding, header, tuple(rows), tuple(passed_over), table.name, others)


def refuse_long_sheet(tables: Sequence[Table], columns: Sequence[SheetColumn]) -> None:
    """Refuse a file whose table has too many rows; which its columns are may still be asked."""
    try:
        table, header = _table_and_header(tables, columns, Limits())
    except SheetRefused:
        return
    _refuse_many_rows(table, header, MOST_ROWS)


def _refuse_many_rows(table: Table, header: Header, most: int) -> None:
    count = sum(
        any(map(cells.trim, record.cells))
        for record in table.records()
        if record.number > header.record.number
    )
    if count > most:
        raise SheetRefused("too_many_rows", count=count, most=most)


def _table_and_header(
    tables: Sequence[Table], columns: Sequence[SheetColumn], limits: Limits
) -> tuple[Table, Header]:
    """Return the chosen table, else the first one whose columns are known, with its header."""
    asked = chosen_tables(tables, limits.table)
    refusals: list[SheetRefused] = []
    for table in asked:
        try:
            return table, find_header(table.records(), columns, limits.titles)
        except SheetRefused as refusal:
            refusals.append(refusal)
    raise refusals[0]


def chosen_tables(tables: Sequence[Table], name: str) -> Sequence[Table]:
    """Return the table of a name, or all without a name; refuse an unknown name."""
    found = [table for table in tables if name in ("", table.name)]
    if not found:
        names = ", ".join(table.name for table in tables if table.name)
        raise SheetRefused("sheet_unknown", sheet=name, sheets=names or "-")
    return found


def titles_of(tables: Sequence[Table], name: str = "") -> tuple[str, ...]:
    """Return the likely titles of a sheet, even when its columns are unknown."""
    return likely_titles(chosen_tables(tables, name)[0].records())


def read_rows(
    rows: Sequence[SheetRow],
    read: Callable[[SheetRow], T | None],
    note: Callable[[SheetRow, T], None],
) -> dict[int, T]:
    """Return what the readable rows hold, by line; the others keep their problems.

    `note` adds the notes and oddities of a row to it.
    """
    taken: dict[int, T] = {}
    for row in rows:
        found = None if row.problems else read(row)
        if found is not None:
            note(row, found)
            taken[row.line] = found
    return taken


def refuse_unconfirmed_rows(
    rows: Sequence[SheetRow], taken: MutableMapping[int, Any], confirmed: Container[int]
) -> None:
    """Refuse the rows with oddities, except those that a person confirmed."""
    for row in rows:
        if row.line not in taken or not row.oddities:
            continue
        if row.line in confirmed:
            row.notes += row.oddities
        else:
            row.problems += row.oddities
            del taken[row.line]


def _classify_records(
    records: Iterator[TextRecord], header: Header
) -> Iterator[SheetRow | PassedOver]:
    """Yield every record as a row or as passed over; a building counts until its block ends."""
    building, above = "", LinesAbove(header)
    for record in records:
        code = _passed_over_as(record, header, above)
        if code is not None and code != PERHAPS:
            building = "" if code != "note_row" else building
            yield PassedOver(record, code)
            continue
        row = SheetRow(record, header)
        building = cells.trim(row.cell("building")) or building
        row.building = building
        wanted, found = row.header.width, len(row.record.cells)
        if row.record.is_broken:
            row.refuse(None, "broken_quotes")
        elif wanted != found:
            row.refuse(None, "wrong_number_of_columns", found=found, wanted=wanted)
        if code == PERHAPS:
            row.doubt(None, PERHAPS)
        else:
            above.add(record)
        yield row


def _passed_over_as(record: TextRecord, header: Header, above: LinesAbove) -> str | None:
    if record.is_broken:
        return None
    filled = [place for place, cell in enumerate(record.cells) if cells.trim(cell)]
    if not filled:
        return "blank_line"
    if record.number <= header.record.number:
        return "header" if record.number == header.record.number else "above_header"
    is_same = tuple(map(cells.trim, record.cells)) == tuple(map(cells.trim, header.record.cells))
    if is_same:
        return "repeated_header"
    first = unicodedata.normalize("NFKC", cells.trim(record.cells[filled[0]]))
    if len(filled) == 1 and _NOTE.match(first):
        return "note_row"
    return above.kind_of(record)
