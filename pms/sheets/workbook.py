"""Reads the sheets of an .xlsx workbook, with every cell as the text a person would type.

python-calamine reads the values. Two things are read from the parts of the file beforehand: the
extent of a sheet, since calamine allocates every cell up to the last one and would run out of
memory for a cell in the last corner; and the cells it returns as blank although they are not:
errors (#N/A) and formulas that were never calculated.
"""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, Final
from xml.etree import ElementTree

from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from pms.sheets.refusals import SheetRefused
from pms.sheets.text_records import NO_FAULTS, CellFault, TextRecord

ZIP: Final = b"PK\x03\x04"
MOST_UNPACKED: Final = 100 * 1024 * 1024
MOST_CELLS: Final = 500_000
MOST_OF_A_TABLE_OF_CONTENTS: Final = 1024 * 1024
"""The most bytes of the parts that name the sheets; they are read as a tree."""
_MOST_SHEETS: Final = 200
_MOST_HIDDEN: Final = 1_000

_WORKBOOK: Final = "xl/workbook.xml"
_RELATIONS: Final = "xl/_rels/workbook.xml.rels"
_ROW_OR_CELL: Final = re.compile(
    rb"<(?:\w+:)?row\b([^<>]*)>"
    rb"|<(?:\w+:)?c\b([^<>]*?)(?:/>|>((?:[^<]++|<(?!/?(?:\w+:)?c[\s>/]))*+)</(?:\w+:)?c\s*>)"
)
_PLACE: Final = re.compile(rb"\br\s*=\s*[\"']([A-Z]{0,3})([0-9]{1,8})[\"']")
_IS_ERROR: Final = re.compile(rb"\bt\s*=\s*[\"']e[\"']")
_VALUE: Final = re.compile(rb"<(?:\w+:)?v\b[^<>]*>([^<]*)<")
_FORMULA: Final = re.compile(rb"<(?:\w+:)?f\b[^<>]*(?:/>|>([^<]*)<)")
_ROW: Final = re.compile(rb"<(?:\w+:)?row\b([^<>]*)>")
_IS_HIDDEN: Final = re.compile(rb"\bhidden\s*=\s*[\"'](?:1|true)[\"']")
_COLUMNS: Final = re.compile(rb"<(?:\w+:)?col\b([^<>]*)>")
_DATE_1904: Final = re.compile(rb"\bdate1904\s*=\s*[\"'](?:1|true)[\"']")
_ATTRIBUTE: Final = re.compile(rb"\b(min|max|hidden)\s*=\s*[\"']([^\"']*)[\"']")
_NO_VALUE: Final = (b"", b"\r\n", b"\n")

UnreadCells = Mapping[int, Mapping[int, str]]
"""The texts of cells that calamine returns as blank, by their rows and columns from 0."""


@dataclass(frozen=True, slots=True)
class Workbook:
    """An opened workbook: the names of its visible and hidden sheets, and the records of each."""

    names: tuple[str, ...]
    hidden_names: tuple[str, ...]
    counts_from_1904: bool
    """Whether the serial number 0 of a day is 1 January 1904."""
    _book: CalamineWorkbook
    _unread: Mapping[str, UnreadCells]
    _hidden: Mapping[str, frozenset[int]]
    _hidden_rows: Mapping[str, frozenset[int]]

    def hidden_columns(self, name: str) -> frozenset[int]:
        """Return the hidden columns of a sheet, from 0."""
        return self._hidden.get(name, frozenset())

    def hidden_rows(self, name: str) -> frozenset[int]:
        """Return the hidden rows of a sheet, by the spreadsheet's numbers."""
        return self._hidden_rows.get(name, frozenset())

    def records(self, name: str) -> Iterator[TextRecord]:
        """Yield the rows of a sheet, each with the spreadsheet's number."""
        with _refuse_broken_workbooks():
            rows = self._book.get_sheet_by_name(name).to_python(skip_empty_area=False)
        unread = self._unread.get(name, {})
        width = max([len(rows[0]) if rows else 0, *(max(row) + 1 for row in unread.values())])
        for number in range(max([len(rows), *(row + 1 for row in unread)])):
            values = rows[number] if number < len(rows) else []
            cells: list[str] = [""] * width
            faults: dict[int, CellFault] = {}
            for column, value in enumerate(values):
                if value == "":
                    continue
                is_plain = isinstance(value, str) and "\r" not in value
                cells[column] = str(value) if is_plain else text_of(value)
                if type(value) is not float and (fault := _fault_of(value)) is not None:
                    faults[column] = fault
            for column, text in unread.get(number, {}).items():
                cells[column] = text
                faults[column] = CellFault.FORMULA if text.startswith("=") else CellFault.ERROR
            yield TextRecord(number + 1, number + 1, tuple(cells), faults=faults or NO_FAULTS)


def open_workbook(data: bytes) -> Workbook:
    """Return the workbook; refuse bytes that are none, that are too large or reach too far."""
    with _refuse_broken_workbooks(), zipfile.ZipFile(io.BytesIO(data)) as parts:
        if sum(part.file_size for part in parts.infolist()) > MOST_UNPACKED:
            raise SheetRefused("workbook_too_large", most=MOST_UNPACKED // (1024 * 1024))
        sheets = _find_sheet_parts(parts)
        unread, hidden, rows = {}, {}, {}
        cells = 0
        for name, part in sheets.items():
            xml = parts.read(part)
            unread[name], count = _unread_cells(name, xml)
            cells += count
            if cells > MOST_CELLS:
                raise SheetRefused("too_many_cells", most=MOST_CELLS)
            found: set[int] = set()
            for column in _COLUMNS.finditer(xml):
                attributes: dict[bytes, bytes] = dict(_ATTRIBUTE.findall(column[1]))
                if (
                    attributes.get(b"hidden") in (b"1", b"true")
                    and attributes.get(b"min", b"").isdigit()
                ):
                    first, last = (
                        int(attributes[b"min"]),
                        int(attributes.get(b"max", attributes[b"min"])),
                    )
                    found.update(range(first - 1, min(last, first + _MOST_HIDDEN)))
            hidden[name], rows[name] = frozenset(found), _hidden_row_numbers(xml)
        _refuse_hidden_parts(parts, set(sheets.values()))
        counts_from_1904 = _DATE_1904.search(parts.read(_WORKBOOK)) is not None
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    known = [sheet for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
    shown = tuple(sheet.name for sheet in known if sheet.visible == SheetVisibleEnum.Visible)
    if not shown:
        raise SheetRefused("workbook_without_sheets")
    concealed = tuple(sheet.name for sheet in known if sheet.name not in shown)
    return Workbook(shown, concealed, counts_from_1904, book, unread, hidden, rows)


def text_of(value: Any) -> str:
    """Return a typed cell as text: whole numbers without decimals, days in ISO form."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        # Spreadsheet numbers are binary floats: 45.94 may be stored as 45.940000000000005.
        return str(int(value)) if value.is_integer() else repr(round(value, 9))
    if isinstance(value, datetime) and value.time() == time.min:
        return value.date().isoformat()
    if isinstance(value, (date, time)):
        return value.isoformat()
    return str(value).replace("\r\n", "\n")


def _fault_of(value: Any) -> CellFault | None:
    if isinstance(value, bool):
        return CellFault.TRUTH
    if isinstance(value, (date, time)):
        return CellFault.DAY
    is_digits = isinstance(value, str) and value.strip().isdigit()
    return CellFault.DIGITS if is_digits else None


@contextmanager
def _refuse_broken_workbooks() -> Iterator[None]:
    try:
        yield
    except SheetRefused:
        raise
    except (
        CalamineError,
        zipfile.BadZipFile,
        zlib.error,
        ElementTree.ParseError,
        KeyError,
        ValueError,
        EOFError,
        NotImplementedError,
        RuntimeError,
        OSError,
    ):
        raise SheetRefused("workbook") from None
    except BaseException as panic:
        # A panic of calamine's Rust code arrives in Python as an exception of its own class.
        if type(panic).__name__ != "PanicException":
            raise
        raise SheetRefused("workbook") from None


def _find_sheet_parts(parts: zipfile.ZipFile) -> dict[str, str]:
    """Return the part of each sheet, by the sheet's name."""
    for name in (_WORKBOOK, _RELATIONS):
        if parts.getinfo(name).file_size > MOST_OF_A_TABLE_OF_CONTENTS:
            raise SheetRefused("workbook_contents", most=1)
    targets = {
        relation.get("Id", ""): posixpath.normpath(
            posixpath.join("/xl", relation.get("Target", ""))
        ).lstrip("/")
        for relation in ElementTree.fromstring(parts.read(_RELATIONS))
    }
    book = ElementTree.fromstring(parts.read(_WORKBOOK))
    found: dict[str, str] = {}
    for sheet in book.iter():
        if sheet.tag.rpartition("}")[2] == "sheet":
            link = next((v for k, v in sheet.attrib.items() if k.endswith("}id")), "")
            if targets.get(link) in parts.NameToInfo:
                found[sheet.get("name", "")] = targets[link]
    if len(found) > _MOST_SHEETS:
        raise SheetRefused("workbook_sheets", count=len(found), most=_MOST_SHEETS)
    return found


def _refuse_hidden_parts(parts: zipfile.ZipFile, known: set[str]) -> None:
    """Measure every other part too: a workbook can name its sheets in ways not read here."""
    for name in parts.namelist():
        if name not in known and not name.startswith("docProps/"):
            data = parts.read(name)
            if b"sheetData" in data:
                _unread_cells(name, data)


def _hidden_row_numbers(data: bytes) -> frozenset[int]:
    found: set[int] = set()
    number = 0
    for row in _ROW.finditer(data):
        place = _PLACE.search(row[1])
        number = int(place[2]) if place else number + 1
        if _IS_HIDDEN.search(row[1]):
            found.add(number)
    return frozenset(found)


def _unread_cells(name: str, data: bytes) -> tuple[UnreadCells, int]:
    """Return a sheet's errors and formulas without a value, and how many cells it has.

    Refuses a sheet that has too many, or reaches too far.
    """
    found: dict[int, dict[int, str]] = {}
    row, column, last_row, last_column, cells = -1, -1, 0, 0, 0
    for match in _ROW_OR_CELL.finditer(data):
        of_row, attributes, content = match.groups()
        if of_row is not None:
            place = _PLACE.search(of_row)
            row, column = (int(place[2]) - 1 if place else row + 1), -1
            continue
        place = _PLACE.search(attributes)
        row, column = _read_cell_address(place, row, column)
        if not content:
            continue
        cells += 1
        last_row, last_column = max(last_row, row), max(last_column, column)
        if (last_row + 1) * (last_column + 1) > MOST_CELLS:
            if cells * 2 > MOST_CELLS:
                raise SheetRefused("too_many_cells", most=MOST_CELLS)
            raise SheetRefused("workbook_reaches_far", sheet=name, line=row + 1)
        # Most cells are neither an error nor a formula: looked at before patterns are tried.
        if b"e" in attributes or b"f" in content:
            text = _unread_text(attributes, content)
            if text is not None:
                found.setdefault(row, {})[column] = text
    return found, cells


def _read_cell_address(written: re.Match[bytes] | None, row: int, column: int) -> tuple[int, int]:
    if written is None or not written[1]:
        return max(row, 0), column + 1
    number = 0
    for letter in written[1]:
        number = number * 26 + letter - ord("A") + 1
    return int(written[2]) - 1, number - 1


def _unread_text(attributes: bytes, content: bytes) -> str | None:
    value = _VALUE.search(content)
    if _IS_ERROR.search(attributes):
        return value[1].decode("utf-8", "replace") if value else "#ERROR"
    formula = _FORMULA.search(content)
    if formula is not None and (value is None or value[1] in _NO_VALUE):
        is_text = b"t=" in attributes.replace(b" ", b"")
        return None if is_text else "=" + (formula[1] or b"").decode("utf-8", "replace")
    return None
