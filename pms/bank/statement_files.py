"""Reading bank files of any form."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from pms.foundation.errors import Refused
from pms.rules.bank_columns import (
    BankTableFault,
    PassedLine,
    TableColumns,
    TableFault,
    TableLine,
    TableRole,
    UnreadColumn,
    find_columns,
    folded_head,
    unread_columns,
)
from pms.rules.bank_records import BankFileFault, RecordFault, is_record_file
from pms.rules.bank_statements import BankAccount, BankRow, BankStatement, read_statements
from pms.rules.bank_tables import AMOUNTS, LONGEST_TEXT, read_table
from pms.rules.transfer_matching import Match, Offer
from pms.sheets.grid import Grid, RowFault, is_split_amount, read_grid, row_fault, usual_width
from pms.sheets.refusals import SheetRefused
from pms.sheets.tables import XLSX, open_all_tables

MOST_ROWS: Final = 20_000


class BankFileForm(StrEnum):
    """The form of a bank file."""

    RECORDS = "records"
    TEXT = "text"
    WORKBOOK = "workbook"


class ReadTable(NamedTuple):
    """A table of a file as it was read: its columns, and the lines and columns that were not read.

    `titles` are the headings as written and `examples` the first rows below them.
    """

    sheet: str
    columns: TableColumns
    titles: tuple[str, ...]
    examples: tuple[tuple[str, ...], ...]
    passed: tuple[PassedLine, ...]
    unread: tuple[UnreadColumn, ...]


class BankFile(NamedTuple):
    """A bank file that was read: its form and accounts, and its table for each statement of a list.

    `unread_sheets` are the sheets of a workbook that hold something and no list of movements.
    """

    form: BankFileForm
    statements: tuple[BankStatement, ...]
    tables: tuple[ReadTable, ...] = ()
    unread_sheets: tuple[str, ...] = ()

    def table_of(self, statement: BankStatement) -> ReadTable | None:
        """Return the table that a statement was read from; records have none."""
        places = [place for place, read in enumerate(self.statements) if read is statement]
        return self.tables[places[0]] if self.tables and places else None

    def place_of(self, statement: BankStatement, row: BankRow) -> str:
        """Return the place of a row, the only one in the file: its line, in a workbook `Sheet!7`."""
        table = self.table_of(statement)
        return f"{table.sheet}!{row.line}" if table and table.sheet else str(row.line)


def read_bank_file(
    data: bytes,
    today: date,
    chosen: Mapping[TableRole, str] | None = None,
    head_line: int | None = None,
    learnt: Mapping[str, Mapping[TableRole, str]] | None = None,
) -> BankFile:
    """Return the contents of a bank file; refuse it as a whole, naming the line and byte.

    `chosen` assigns heads of a table to their meanings by hand, `head_line` names their row.
    `learnt` has what was chosen for earlier lists by the shape of their heads.
    """
    if not data.strip(b"\x00\x1a\r\n "):
        raise Refused("file: the file is empty.")
    if is_record_file(data):
        try:
            statements = read_statements(data, today)
        except BankFileFault as fault:
            raise refused_records(fault) from None
        _refuse_many(sum(len(statement.rows) for statement in statements))
        return BankFile(BankFileForm.RECORDS, statements)
    return _read_tables(data, today, _Chosen(chosen, head_line, learnt or {}))


class _Chosen(NamedTuple):
    """What people chose for this list and for earlier ones."""

    columns: Mapping[TableRole, str] | None
    head_line: int | None
    learnt: Mapping[str, Mapping[TableRole, str]]

    def find(self, lines: Sequence[TableLine]) -> TableColumns:
        """Find the columns: as chosen for this list, as learnt from earlier ones, or by headings."""
        if not self.columns and self.head_line is None:
            for line in lines if self.learnt else ():
                shape = TableColumns(line.line, tuple(map(folded_head, line.cells)), {}).shape
                if (learnt := self.learnt.get(shape)) is not None:
                    return find_columns(lines, learnt, line.line)
        return find_columns(lines, self.columns, self.head_line)


def _read_tables(data: bytes, today: date, chosen: _Chosen) -> BankFile:
    """Read every sheet that has the headings of a list; the others are named."""
    first: BankTableFault | None = None
    read: list[tuple[BankStatement, ReadTable]] = []
    unread: list[str] = []
    form = BankFileForm.TEXT
    rows = 0
    for table in open_all_tables(data):
        form = BankFileForm.WORKBOOK if table.encoding == XLSX else BankFileForm.TEXT
        grid = read_grid(table)
        if all(row.is_blank for row in grid.rows):
            continue
        try:
            if grid.is_hidden:
                raise BankTableFault(TableFault.NO_HEADER)
            columns = chosen.find(_lines_of(grid, None))
        except BankTableFault as fault:
            first = first or _broken_line(grid) or fault
            unread.append(grid.name)
            continue
        rows += sum(1 for row in grid.rows if row.line > columns.line and not row.is_blank)
        if rows > MOST_ROWS:
            # The others are only counted, for the refusal.
            continue
        try:
            read.append(_read_grid(grid, columns, today))
        except BankTableFault as fault:
            raise refused_table(fault, grid.name) from None
    _refuse_many(rows)
    if not read:
        raise refused_table(first or BankTableFault(TableFault.NO_HEADER))
    # Sheets of months may stand in any order; each goes on where the one before ends.
    read.sort(key=lambda pair: (pair[0].first_on, pair[0].last_on))
    return BankFile(
        form,
        tuple(statement for statement, _ in read),
        tuple(table for _, table in read),
        tuple(unread),
    )


class TableSketch(NamedTuple):
    """The first table of a file whose columns a person has to choose: its rows, one as the head."""

    lines: tuple[tuple[int, str], ...]
    head_line: int
    titles: tuple[str, ...]
    examples: tuple[tuple[str, ...], ...]


_MOST_SKETCHED: Final = 20


def sketch_table(data: bytes, head_line: int | None = None) -> TableSketch | None:
    """Return the first rows of a file to choose its columns from; None for what is no table.

    Without a `head_line` the row with most texts that hold no digit is taken for the headings.
    """
    if is_record_file(data) or not data.strip(b"\x00\x1a\r\n "):
        return None
    for table in open_all_tables(data):
        rows = [row for row in read_grid(table).rows if not row.is_blank]
        if table.is_hidden or not rows:
            continue
        first = rows[:_MOST_SKETCHED]
        head = next((row for row in rows if row.line == head_line), None)
        head = head or max(first, key=lambda row: len(_titles_of(row.cells)))
        below = [row.cells for row in rows if row.line > head.line]
        return TableSketch(
            tuple((row.line, " | ".join(filter(None, row.cells))[:80]) for row in first),
            head.line,
            head.cells,
            tuple(below[:3]),
        )
    return None


def _titles_of(cells: Sequence[str]) -> Sequence[str]:
    return [cell for cell in cells if cell.strip() and not any(map(str.isdigit, cell))]


def _read_grid(grid: Grid, columns: TableColumns, today: date) -> tuple[BankStatement, ReadTable]:
    lines = _lines_of(grid, columns)
    titles = next(tuple(line.cells) for line in lines if line.line == columns.line)
    unread = unread_columns(lines, columns, titles)
    statement, passed = read_table(lines, columns, BankAccount(), today)
    below = [row.cells for row in grid.rows if row.line > columns.line and not row.is_blank]
    return statement, ReadTable(grid.name, columns, titles, tuple(below[:3]), passed, unread)


def _lines_of(grid: Grid, columns: TableColumns | None) -> list[TableLine]:
    """Return the rows of a sheet for the rules, each with what is wrong with its cells."""
    head = next((row for row in grid.rows if columns and row.line == columns.line), None)
    if columns is None or head is None:
        return [TableLine(row.line, row.cells, row.is_broken) for row in grid.rows]
    usual = usual_width(row for row in grid.rows if row.line >= head.line)
    money = [columns.places[role] for role in AMOUNTS if role in columns.places]
    numbers = {
        *money,
        *(columns.places.get(role) for role in (TableRole.BALANCE, TableRole.NUMBER)),
    }
    lines = []
    for row in grid.rows:
        fault = row_fault(row, head, usual, is_text=grid.is_text)
        split: Sequence[str] = ()
        for place in money if grid.is_text else ():
            pair = row.cells[place : place + 2]
            if len(pair) == 2 and is_split_amount(*pair, is_number=place + 1 in numbers):
                split = pair
        lines.append(
            TableLine(
                row.line,
                row.cells,
                row.is_broken,
                fault in {RowFault.TOO_MANY_CELLS, RowFault.TOO_FEW_CELLS},
                " | ".join(split),
            )
        )
    return lines


def _broken_line(grid: Grid) -> BankTableFault | None:
    """Return the fault of a text whose headings may be inside broken quotation marks."""
    broken = next((row for row in grid.rows if row.is_broken), None)
    return BankTableFault(TableFault.QUOTES, line=broken.line) if broken else None


def _refuse_many(rows: int) -> None:
    if rows > MOST_ROWS:
        raise SheetRefused("too_many_rows", count=rows, most=MOST_ROWS)


def refused_records(fault: BankFileFault) -> Refused:
    """Return the refusal of a file of records."""
    at: dict[str, str | int] = {
        "line": fault.line,
        "byte": fault.byte,
        "name": fault.field,
        "found": fault.found,
        "wanted": fault.wanted or "-",
    }
    if (form := _refused_form(fault, at)) is not None:
        return form
    match fault.fault:
        case RecordFault.NO_HEADER:
            refused = Refused(
                "file: the file does not start with a header record of kind 01, 03, 21 or 91."
            )
        case RecordFault.UNKNOWN_KIND:
            refused = Refused(
                "file: this is a file of kind {found}. Choose one of kind {wanted}.", **at
            )
        case RecordFault.ORDER:
            refused = Refused(
                "file: record {line} starts with '{found}' instead of {wanted}. Nothing was "
                "imported.",
                **at,
            )
        case RecordFault.NOT_CLOSED:
            refused = Refused(
                "file: the file ends after record {line} without an end record. Nothing was "
                "imported.",
                **at,
            )
        case RecordFault.TOTAL | RecordFault.COUNT | RecordFault.BALANCE:
            refused = Refused(
                "file: record {line}, byte {byte}: {name} is {found}, but the records add up to "
                "{wanted}. Nothing was imported.",
                **at,
            )
        case RecordFault.NOT_DIGITS:
            refused = Refused(
                "file: record {line}, byte {byte}: {name} is '{found}', which is not a number. "
                "Nothing was imported.",
                **at,
            )
        case RecordFault.LETTER:
            refused = Refused(
                "file: '{found}' in {wanted} cannot be written in half-width kana ({name}, record "
                "{line}).",
                **at,
            )
        case _:
            refused = Refused(
                "file: record {line}, byte {byte}: {name} is '{found}'. Allowed: {wanted}. Nothing "
                "was imported.",
                **at,
            )
    return refused


def _refused_form(fault: BankFileFault, at: Mapping[str, str | int]) -> Refused | None:
    """Return the refusal of a file whose bytes cannot be cut into records and fields."""
    refused = None
    match fault.fault:
        case RecordFault.EBCDIC:
            refused = Refused("file: the file is in EBCDIC. Ask the bank for JIS.")
        case RecordFault.UTF8:
            refused = Refused(
                "file: the file was saved again as {found}, which changes the length of its records."
                " Choose the file as it came from the bank, or save it as Shift_JIS.",
                **at,
            )
        case RecordFault.TOO_MANY:
            refused = Refused(
                "file: the file has {records} records. At most {most} are possible.",
                records=fault.found,
                most=fault.wanted,
            )
        case RecordFault.LENGTH:
            refused = Refused(
                "file: record {line} has {found} bytes instead of {wanted}. The file is incomplete "
                "or was changed. Nothing was imported.",
                **at,
            )
        case RecordFault.CELLS:
            refused = Refused(
                "file: record {line} has {found} cells instead of {wanted}. An amount with a comma"
                " may stand without quotation marks. Nothing was imported.",
                **at,
            )
        case RecordFault.QUOTES:
            refused = refused_table(BankTableFault(TableFault.QUOTES, line=fault.line))
    return refused


def refused_table(fault: BankTableFault, sheet: str = "") -> Refused:
    """Return the refusal of a table; `sheet` is its name in a workbook."""
    at: dict[str, str | int] = {
        "line": f"{sheet}!{fault.line}" if sheet else fault.line,
        "column": fault.column,
        "found": fault.found,
        "wanted": fault.wanted,
    }
    match fault.fault:
        case TableFault.NO_HEADER:
            refused = Refused(
                "file: no row has the headings of a bank statement: a date, and an amount or money "
                "in and money out."
            )
        case TableFault.UNKNOWN_COLUMN:
            refused = Refused(
                "columns: the statement has no column '{found}'. It has: {wanted}.", **at
            )
        case TableFault.EMPTY:
            refused = Refused("file: there are no rows below the headings on line {line}.", **at)
        case TableFault.TOO_LONG:
            refused = Refused(
                "file: line {line}: '{found}...' under {column} is longer than {most} characters;"
                " nothing was imported.",
                most=LONGEST_TEXT,
                **at,
            )
        case TableFault.QUOTES:
            refused = Refused(
                "file: line {line}: the quotation marks are broken, so its cells are not certain."
                " Correct the line or get the file from the bank again. Nothing was imported.",
                **at,
            )
        case TableFault.CELLS:
            refused = Refused(
                "file: line {line} has {found} cells, but the headings have {wanted}. An amount with"
                " a comma may stand without quotation marks. Nothing was imported.",
                **at,
            )
        case TableFault.SPLIT:
            refused = Refused(
                "file: line {line}: '{found}' may be one amount that a comma without quotation marks"
                " divided into two cells. Correct the line. Nothing was imported.",
                **at,
            )
        case TableFault.TWO_AMOUNTS:
            refused = Refused(
                "file: line {line} has money in ({found}) and money out. Correct the line or choose"
                " the columns. Nothing was imported.",
                **at,
            )
        case TableFault.SIGN:
            refused = Refused(
                "file: line {line}: '{found}' under {column} has a minus. Whether it takes an earlier"
                " row back is not certain. Correct the line. Nothing was imported.",
                **at,
            )
        case TableFault.TWO_COLUMNS:
            refused = Refused(
                "file: line {line}: {column} and {found} both hold an amount or a date, and they"
                " differ ({wanted}). Choose the column to read. Nothing was imported.",
                **at,
            )
        case TableFault.BALANCE:
            refused = Refused(
                "file: the balance {found} on line {line} should be {wanted}. A row is missing or "
                "was changed. Nothing was imported.",
                **at,
            )
        case _:
            refused = Refused(
                "file: line {line}: '{found}' under {column} cannot be read. Nothing was imported.",
                **at,
            )
    return refused


def answers(matches: Sequence[Match]) -> Mapping[str, Any]:
    """Return the matches as JSON data, by the bank's number.

    Where a bank has no numbers or restarts them each day, the line in the file identifies the row.
    """
    numbers = Counter(match.row.number for match in matches)
    return {
        match.row.number
        if match.row.number and numbers[match.row.number] == 1
        else f"{match.row.number}@{match.row.line}": _build_match_answer(match)
        for match in matches
    }


def _build_match_answer(match: Match) -> Mapping[str, Any]:
    return {
        "verdict": match.verdict.value,
        "residents": list(match.person_ids),
        "allocations": [
            {"resident": part.resident_id, "bill": part.bill_id, "amount": part.yen}
            for part in match.parts
        ],
        "payerReason": match.payer_reason.value,
        "doubt": match.doubt.value,
        "offers": [_build_offer_answer(offer) for offer in match.offers],
    }


def _build_offer_answer(offer: Offer) -> Mapping[str, Any]:
    return {
        "residents": list(offer.person_ids),
        "allocations": [
            {"resident": part.resident_id, "bill": part.bill_id, "amount": part.yen}
            for part in offer.parts
        ],
        "payerReason": offer.payer_reason.value,
        "amountReason": offer.amount_reason.value,
        "held": offer.held_yen,
        "fee": offer.fee_yen,
    }
