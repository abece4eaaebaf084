"""Answers a bank's file from a book of residents in a file, without any workspace."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import msgspec

from pms.foundation.errors import Refused
from pms.rules.bank_statements import BankStatement
from pms.rules.open_bills import USUAL_FEES, OpenBill
from pms.rules.payer_search import Person
from pms.rules.transfer_matching import Match, Offer, TransferMatcher


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
    """The people, their open bills, and the fees that banks take."""

    people: tuple[Person, ...]
    bills: tuple[OpenBill, ...]
    fees: Collection[int]


def read_book(data: bytes) -> Book:
    """The residents of a JSON file with their names, references, remembered payers and bills."""
    try:
        book = msgspec.json.decode(data, type=_Book)
    except msgspec.DecodeError as refused:
        raise Refused(
            "residents: the file cannot be read: {problem}.", problem=str(refused)
        ) from None
    people = tuple(
        Person(
            one.id,
            (one.name,) if isinstance(one.name, str) else tuple(one.name.values()),
            one.room,
            (one.reference,) if one.reference else (),
            tuple(one.aliases),
        )
        for one in book.residents
    )
    bills = tuple(
        OpenBill(bill.id, one.id, bill.due, bill.issued or bill.due, bill.open)
        for one in book.residents
        for bill in one.bills
    )
    return Book(people, bills, book.fees_seen or USUAL_FEES)


def match_statements(statements: Sequence[BankStatement], book: Book) -> list[Match]:
    """The answers for every deposit of the statements that may pay a bill, one file of one office."""
    matcher = TransferMatcher(book.people, book.bills, book.fees)
    return [
        match
        for statement in statements
        for match in matcher.match_all(statement.rows)
        if match.row.is_awaited
    ]


def answers(matches: Sequence[Match]) -> Mapping[str, Any]:
    """The answers by the bank's number, as a program reads them.

    Where a bank numbers nothing or begins anew each day, the line in the file tells rows apart.
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
