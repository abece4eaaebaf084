"""Matches bank files with a book of residents in a file."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

import msgspec

from pms.foundation.errors import Refused
from pms.rules.bank_statements import BankStatement
from pms.rules.open_bills import USUAL_FEES, OpenBill
from pms.rules.people_index import RentPayer
from pms.rules.transfer_matching import Match, TransferMatcher


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


class OpenBillsBook(NamedTuple):
    """The people, their open bills, and the usual bank fees."""

    people: tuple[RentPayer, ...]
    bills: tuple[OpenBill, ...]
    fees: Collection[int]


def read_book(data: bytes) -> OpenBillsBook:
    """Return the residents in a JSON file: names, references, remembered payers and bills."""
    try:
        book = msgspec.json.decode(data, type=_Book)
    except msgspec.DecodeError as refused:
        raise Refused(
            "residents: the file cannot be read: {problem}.", problem=str(refused)
        ) from None
    people = tuple(
        RentPayer(
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
    return OpenBillsBook(people, bills, book.fees_seen or USUAL_FEES)


def match_statements(statements: Sequence[BankStatement], book: OpenBillsBook) -> list[Match]:
    """Return the match of every deposit that may pay a bill; the file is of a single office."""
    matcher = TransferMatcher(book.people, book.bills, book.fees)
    return [
        match
        for statement in statements
        for match in matcher.match_all(statement.rows)
        if match.row.is_awaited
    ]
