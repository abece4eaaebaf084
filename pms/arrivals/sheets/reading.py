"""Reads a whole sheet: encoding, header and rows, with the rows that carry nothing passed over."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from pms.arrivals.sheets import cells
from pms.arrivals.sheets.columns import (
    NOTHING_TOLD,
    Column,
    Header,
    find_header,
    likely_titles,
)
from pms.arrivals.sheets.encoding import MOST_BYTES, decode
from pms.arrivals.sheets.reasons import Reason, Remark, SheetRefused, Unreadable
from pms.arrivals.sheets.records import MOST_ROWS, Record, delimiter_of, read_records

T = TypeVar("T")

_LONGEST_SHOWN: Final = 200
_TOTAL: Final = re.compile(r"(?:小計|合計|総計|総合計|計|subtotal|total)$", re.IGNORECASE)
_NOTE: Final = re.compile(r"[※＊*注#]|備考|note", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a sheet may be, and which title a column has where a person told it."""

    most_bytes: int = MOST_BYTES
    most_rows: int = MOST_ROWS
    titles: Mapping[str, str] = field(default_factory=lambda: NOTHING_TOLD)


@dataclass(slots=True)
class Row:
    """A row of the sheet while it is read: its cells by column, what is wrong, what to know."""

    record: Record
    header: Header
    building: str = ""
    problems: list[Remark] = field(default_factory=list)
    notes: list[Remark] = field(default_factory=list)

    @property
    def line(self) -> int:
        return self.record.line

    def cell(self, key: str) -> str:
        """The cell of a column as written; blank when the sheet has no such column."""
        place = self.header.places.get(key)
        if place is None or place >= len(self.record.cells):
            return ""
        return self.record.cells[place]

    def read(self, key: str, reader: Callable[[str], T | None]) -> T | None:
        """What the reader makes of a cell; a refusal is kept among the row's problems."""
        try:
            return reader(self.cell(key))
        except Unreadable as refusal:
            self._keep(self.problems, key, refusal.reason)
            return None

    def refuse(self, key: str | None, code: str, **facts: Any) -> None:
        """Keep what is wrong with a column, or with the whole row."""
        self._keep(self.problems, key, Reason(code, facts))

    def note(self, key: str | None, code: str, **facts: Any) -> None:
        """Keep what to know about a column, or about the whole row."""
        self._keep(self.notes, key, Reason(code, facts))

    def _keep(self, remarks: list[Remark], key: str | None, reason: Reason) -> None:
        column = None if key is None else self.header.title(key)
        value = "" if key is None else cells.trimmed(self.cell(key))
        remarks.append(Remark(column, value[:_LONGEST_SHOWN], reason))


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A record that carries no row: header, blank line, subtotal, total or note."""

    record: Record
    code: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet read: its encoding, its header, its rows and the records passed over."""

    encoding: str
    header: Header
    rows: tuple[Row, ...]
    passed_over: tuple[PassedOver, ...]


def read_sheet(data: bytes, columns: Sequence[Column], limits: Limits) -> Sheet:
    """The rows of a sheet; refuses one that cannot be read as a whole."""
    text, encoding = decode(data, limits.most_bytes)
    delimiter = delimiter_of(text)
    header = find_header(read_records(text, delimiter), columns, limits.titles)
    rows: list[Row] = []
    passed_over: list[PassedOver] = []
    for found in _rows(read_records(text, delimiter), header):
        if isinstance(found, Row):
            rows.append(found)
        else:
            passed_over.append(found)
        if len(rows) + len(passed_over) > limits.most_rows + 1:
            raise SheetRefused("too_many_rows", most=limits.most_rows)
    return Sheet(encoding, header, tuple(rows), tuple(passed_over))


def titles_of(data: bytes) -> tuple[str, ...]:
    """The titles a sheet seems to have, also of one whose columns nobody knows."""
    text, _ = decode(data)
    return likely_titles(read_records(text, delimiter_of(text)))


def _rows(records: Iterator[Record], header: Header) -> Iterator[Row | PassedOver]:
    """Every record as a row or as passed over; a building's name counts until its block ends."""
    building = ""
    for record in records:
        code = _passed_over_as(record, header)
        if code is not None:
            building = "" if code != "note_row" else building
            yield PassedOver(record, code)
            continue
        row = Row(record, header)
        building = cells.trimmed(row.cell("building")) or building
        row.building = building
        _check_shape(row)
        yield row


def _check_shape(row: Row) -> None:
    wanted, found = row.header.width, len(row.record.cells)
    if row.record.is_broken:
        row.refuse(None, "broken_quotes")
    elif wanted != found:
        row.refuse(None, "wrong_number_of_columns", found=found, wanted=wanted)


def _passed_over_as(record: Record, header: Header) -> str | None:
    if record.is_broken:
        return None
    filled = [place for place, cell in enumerate(record.cells) if cells.trimmed(cell)]
    if not filled:
        return "blank_line"
    if record.number < header.record.number:
        return "above_header"
    if record.number == header.record.number:
        return "header"
    if _is_same(record.cells, header.record.cells):
        return "repeated_header"
    return _total_or_note(record, header, filled)


def _is_same(cells_of: tuple[str, ...], header: tuple[str, ...]) -> bool:
    return tuple(map(cells.trimmed, cells_of)) == tuple(map(cells.trimmed, header))


def _total_or_note(record: Record, header: Header, filled: list[int]) -> str | None:
    """A total names no room; a note stands alone in its row."""
    first = unicodedata.normalize("NFKC", cells.trimmed(record.cells[filled[0]]))
    unit_place = header.places.get("unit", header.width)
    if _TOTAL.search(first) and filled[0] < unit_place and unit_place not in filled:
        return "subtotal" if "小計" in first or "sub" in first.casefold() else "total"
    if len(filled) == 1 and _NOTE.match(first):
        return "note_row"
    return None
