"""Reading bank files of any form, and matching them with a book of residents in a file."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec

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
from pms.rules.bank_tables import LONGEST_TEXT, read_table
from pms.rules.open_bills import USUAL_FEES, OpenBill
from pms.rules.people_index import Person
from pms.rules.transfer_matching import Match, Offer, TransferMatcher
from pms.sheets.tables import XLSX, Table, open_tables

MOST_ROWS: Final = 20_000


class BankFileForm(StrEnum):
    """The form of a bank file."""

    RECORDS = "records"
    TEXT = "text"
    WORKBOOK = "workbook"


class BankFile(NamedTuple):
    """A bank file that was read: its form and accounts, and for a table its columns."""

    form: BankFileForm
    statements: tuple[BankStatement, ...]
    columns: TableColumns | None = None
    heads: tuple[str, ...] = ()


def read_bank_file(
    data: bytes, today: date, chosen: Mapping[TableRole, str] | None = None
) -> BankFile:
    """Return the contents of a bank file; refuse it as a whole, naming the line and byte.

    `chosen` assigns heads of a table to their meanings by hand.
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
    return _table_file(open_tables(data), today, chosen)


def _table_file(
    tables: Sequence[Table], today: date, chosen: Mapping[TableRole, str] | None
) -> BankFile:
    first: BankTableFault | None = None
    for table in tables:
        lines = [TableLine(record.line, record.cells) for record in table.records()]
        _refuse_many(len(lines))
        try:
            columns = find_columns(lines, chosen)
        except BankTableFault as fault:
            first = first or fault
            continue
        try:
            statement = read_table(lines, columns, BankAccount(), today)
        except BankTableFault as fault:
            raise refused_table(fault) from None
        form = BankFileForm.WORKBOOK if table.encoding == XLSX else BankFileForm.TEXT
        heads = next(tuple(line.cells) for line in lines if line.line == columns.line)
        return BankFile(form, (statement,), columns, heads)
    raise refused_table(first or BankTableFault(TableFault.NO_HEADER))


def _refuse_many(rows: int) -> None:
    if rows > MOST_ROWS:
        raise Refused(
            "file: the file has {rows} rows. At most {most} are possible.",
            rows=rows,
            most=MOST_ROWS,
        )


def refused_records(fault: BankFileFault) -> Refused:
    """Return the refusal of a file of records."""
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
                "file: the file does not start with a header record of kind 01, 03, 21 or 91."
            )
        case RecordFault.UNKNOWN_KIND:
            refused = Refused(
                "file: this is a file of kind {found}. Choose one of kind {wanted}.", **at
            )
        case RecordFault.EBCDIC:
            refused = Refused("file: the file is in EBCDIC. Ask the bank for JIS.")
        case RecordFault.LENGTH:
            refused = Refused(
                "file: record {line} has {found} bytes instead of {wanted}. The file is incomplete "
                "or was changed. Nothing was imported.",
                **at,
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


def refused_table(fault: BankTableFault) -> Refused:
    """Return the refusal of a table."""
    at: dict[str, str | int] = {
        "line": fault.line,
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


class _Bill(msgspec.Struct):
    id: str
    open: int
    due: date
    issued: date | None = None


class _Resident(msgspec.Struct):
    id: str
    name: dict[str, str] | str
    room: str = ""
    reference: str = ""
    aliases: list[str] = []
    bills: list[_Bill] = []


class _Book(msgspec.Struct, rename="camel"):
    residents: list[_Resident]
    fees_seen: list[int] = []


class Book(NamedTuple):
    """The people, their open bills, and the usual bank fees."""

    people: tuple[Person, ...]
    bills: tuple[OpenBill, ...]
    fees: Collection[int]


def read_book(data: bytes) -> Book:
    """Return the residents in a JSON file: names, references, remembered payers and bills."""
    try:
        book = msgspec.json.decode(data, type=_Book)
    except msgspec.DecodeError as refused:
        raise Refused(
            "residents: the file cannot be read: {problem}.", problem=str(refused)
        ) from None
    people = tuple(
        Person(
            resident.id,
            (resident.name,) if isinstance(resident.name, str) else tuple(resident.name.values()),
            resident.room,
            (resident.reference,) if resident.reference else (),
            tuple(resident.aliases),
        )
        for resident in book.residents
    )
    bills = tuple(
        OpenBill(bill.id, resident.id, bill.due, bill.issued or bill.due, bill.open)
        for resident in book.residents
        for bill in resident.bills
    )
    return Book(people, bills, book.fees_seen or USUAL_FEES)


def match_statements(statements: Sequence[BankStatement], book: Book) -> list[Match]:
    """Return the match of every deposit that may pay a bill; the file is of a single office."""
    matcher = TransferMatcher(book.people, book.bills, book.fees)
    return [
        match
        for statement in statements
        for match in matcher.match_all(statement.rows)
        if match.row.is_awaited
    ]


def answers(matches: Sequence[Match]) -> Mapping[str, Any]:
    """Return the matches as JSON data, by the bank's number.

    Where a bank has no numbers or restarts them each day, the line in the file identifies the row.
    """
    numbers = Counter(match.row.number for match in matches)
    return {
        match.row.number
        if match.row.number and numbers[match.row.number] == 1
        else f"{match.row.number}@{match.row.line}": _answer(match)
        for match in matches
    }


def _answer(match: Match) -> Mapping[str, Any]:
    return {
        "verdict": match.verdict.value,
        "residents": list(match.person_ids),
        "allocations": [
            {"resident": part.resident_id, "bill": part.bill_id, "amount": part.yen}
            for part in match.parts
        ],
        "payerReason": match.payer_reason.value,
        "doubt": match.doubt.value,
        "offers": [_offer(offer) for offer in match.offers],
    }


def _offer(offer: Offer) -> Mapping[str, Any]:
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
