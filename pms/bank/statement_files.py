"""Reads a file of a bank, whatever its form, and says in a sentence why one is refused."""

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from pms.arrivals.sheets.reading import XLSX, Table, open_tables
from pms.foundation.errors import Refused
from pms.rules.bank_columns import (
    BankTableFault,
    TableColumns,
    TableFault,
    TableLine,
    TableRole,
    find_columns,
)
from pms.rules.bank_records import BankFileFault, RecordFault, is_record_file
from pms.rules.bank_statements import BankAccount, BankStatement, read_statements
from pms.rules.bank_tables import read_table

MOST_ROWS: Final = 20_000


class BankFileForm(StrEnum):
    """The form of a file that was read."""

    RECORDS = "records"
    TEXT = "text"
    WORKBOOK = "workbook"


class BankFile(NamedTuple):
    """A file that was read: its form and the accounts in it; a table also tells its columns."""

    form: BankFileForm
    statements: tuple[BankStatement, ...]
    columns: TableColumns | None = None
    heads: tuple[str, ...] = ()


def read_bank_file(
    data: bytes, today: date, chosen: Mapping[TableRole, str] | None = None
) -> BankFile:
    """The movements of a bank's file; refuses the whole of one with the line and the byte.

    `chosen` says by hand which head of a table plays which part.
    """
    if not data.strip(b"\x00\x1a\r\n "):
        raise Refused("file: it is empty.")
    if is_record_file(data):
        try:
            statements = read_statements(data, today)
        except BankFileFault as fault:
            raise refused_records(fault) from None
        _refuse_many(sum(len(statement.rows) for statement in statements))
        return BankFile(BankFileForm.RECORDS, statements)
    return _table_file(open_tables(data), chosen)


def _table_file(tables: Sequence[Table], chosen: Mapping[TableRole, str] | None) -> BankFile:
    first: BankTableFault | None = None
    for table in tables:
        lines = [TableLine(one.line, one.cells) for one in table.records()]
        _refuse_many(len(lines))
        try:
            columns = find_columns(lines, chosen)
        except BankTableFault as fault:
            first = first or fault
            continue
        try:
            statement = read_table(lines, columns, BankAccount())
        except BankTableFault as fault:
            raise refused_table(fault) from None
        form = BankFileForm.WORKBOOK if table.encoding == XLSX else BankFileForm.TEXT
        heads = next(tuple(one.cells) for one in lines if one.line == columns.line)
        return BankFile(form, (statement,), columns, heads)
    raise refused_table(first or BankTableFault(TableFault.NO_HEADER))


def _refuse_many(rows: int) -> None:
    if rows > MOST_ROWS:
        raise Refused("file: it has {rows} rows, more than {most}.", rows=rows, most=MOST_ROWS)


def refused_records(fault: BankFileFault) -> Refused:
    """The sentence about a file of records that is refused as a whole."""
    at: dict[str, str | int] = {
        "line": fault.line,
        "byte": fault.byte,
        "name": fault.field,
        "found": fault.found,
        "wanted": fault.wanted or "-",
    }
    match fault.fault:
        case RecordFault.NO_HEADER:
            refused = Refused(
                "file: it begins with no header of a bank's file of the kinds 01, 03, 21 and 91."
            )
        case RecordFault.UNKNOWN_KIND:
            refused = Refused("file: its kind is {found}; expected here: {wanted}.", **at)
        case RecordFault.EBCDIC:
            refused = Refused("file: it is written in EBCDIC; ask the bank for JIS.")
        case RecordFault.LENGTH:
            refused = Refused(
                "file: record {line} has {found} bytes instead of {wanted}, so the file is cut or"
                " was changed; nothing of it was taken.",
                **at,
            )
        case RecordFault.ORDER:
            refused = Refused(
                "file: record {line} begins with '{found}', where {wanted} is expected; nothing of"
                " it was taken.",
                **at,
            )
        case RecordFault.NOT_CLOSED:
            refused = Refused(
                "file: it ends after record {line} without its end record; nothing of it was taken.",
                **at,
            )
        case RecordFault.TOTAL | RecordFault.COUNT | RecordFault.BALANCE:
            refused = Refused(
                "file: record {line}, byte {byte}: {name} says {found}, but the records add up to"
                " {wanted}; nothing of it was taken.",
                **at,
            )
        case RecordFault.NOT_DIGITS:
            refused = Refused(
                "file: record {line}, byte {byte}: {name} is '{found}', which is no number; nothing"
                " of it was taken.",
                **at,
            )
        case RecordFault.LETTER:
            refused = Refused(
                "file: '{found}' of {wanted} has no half-width kana ({name}, record {line}).", **at
            )
        case _:
            refused = Refused(
                "file: record {line}, byte {byte}: {name} is '{found}'; allowed: {wanted}. Nothing"
                " of it was taken.",
                **at,
            )
    return refused


def refused_table(fault: BankTableFault) -> Refused:
    """The sentence about a table that is refused as a whole."""
    at: dict[str, str | int] = {
        "line": fault.line,
        "column": fault.column,
        "found": fault.found,
        "wanted": fault.wanted,
    }
    match fault.fault:
        case TableFault.NO_HEADER:
            refused = Refused(
                "file: no row names the columns of a bank's list: a day, and an amount or what"
                " came in and what went out."
            )
        case TableFault.UNKNOWN_COLUMN:
            refused = Refused("columns: the list has no column '{found}'; it has: {wanted}.", **at)
        case TableFault.EMPTY:
            refused = Refused("file: there is no row below the headings on line {line}.", **at)
        case TableFault.BALANCE:
            refused = Refused(
                "file: the balance {found} on line {line} should be {wanted}, so a row is missing"
                " or was changed; nothing of it was taken.",
                **at,
            )
        case _:
            refused = Refused(
                "file: line {line}: '{found}' under {column} cannot be read; nothing of it was"
                " taken.",
                **at,
            )
    return refused
