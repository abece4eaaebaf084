"""A house whose rents come by bank, and files as its bank would write them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest

from pms.bank.bank_day import BankDay, match_waiting
from pms.bank.imports import Imported, import_file
from pms.ledger.queries import standings
from pms.rules.bank_records import DATA, END, HEADER, LINE_END, TRAILER, FileKind, write_record
from tests.ledger.conftest import Books, books

__all__ = ["bank", "books"]
BILLED = date(2026, 9, 25)
TODAY = date(2026, 11, 20)


@dataclass(frozen=True)
class Moved:
    """One movement of an account."""

    payer: str
    yen: int
    on: date = date(2026, 10, 1)
    is_deposit: bool = True
    code: str = "11"


def statement_file(
    moved: Sequence[Moved], opening_yen: int = 0, *, first: int = 1, made: str = "081105"
) -> bytes:
    """The bytes of a statement (03) whose counts and sums hold."""
    days = [one.on for one in moved]
    paid_in = [one.yen for one in moved if one.is_deposit]
    paid_out = [one.yen for one in moved if not one.is_deposit]
    header: dict[str, str | int] = {
        "種別コード": "03",
        "コード区分": "0",
        "作成日": made,
        "勘定日自": _era(min(days)),
        "勘定日至": _era(max(days)),
        "銀行コード": "9801",
        "銀行名": "ミドリノ",
        "支店コード": "012",
        "支店名": "ワカバチョウ",
        "預金種目": "1",
        "口座番号": "21788",
        "貸越区分": "1",
        "取引前残高": opening_yen,
    }
    data = [
        {
            "照会番号": number,
            "勘定日": _era(one.on),
            "預入払出日": _era(one.on),
            "入払区分": "1" if one.is_deposit else "2",
            "取引区分": one.code,
            "取引金額": one.yen,
            "振込依頼人名": one.payer,
        }
        for number, one in enumerate(moved, first)
    ]
    trailer: dict[str, str | int] = {
        "入金件数": len(paid_in),
        "入金額合計": sum(paid_in),
        "出金件数": len(paid_out),
        "出金額合計": sum(paid_out),
        "貸越区分": "1",
        "取引後残高": opening_yen + sum(paid_in) - sum(paid_out),
        "データ件数": len(moved),
    }
    end: dict[str, str | int] = {"レコード総件数": len(moved) + 3, "口座数": 1}
    records = [(HEADER, header), *((DATA, one) for one in data), (TRAILER, trailer), (END, end)]
    kind = FileKind.STATEMENT
    return b"".join(
        write_record(kind, place, fields, line) + LINE_END
        for line, (place, fields) in enumerate(records, 1)
    )


def _era(day: date) -> str:
    return f"{day.year - 2018:02d}{day.month:02d}{day.day:02d}"


@dataclass
class Bank:
    """Residents who owe September's and October's rent, and the office's account."""

    books: Books
    hanako: str = ""
    taro: str = ""
    residents: list[str] = field(default_factory=list)

    def read(self, data: bytes, **named: Any) -> tuple[Imported, ...]:
        done: tuple[Imported, ...] = self.books.do(
            import_file, data, **{"file_name": "statement.txt", **named}
        )
        return done

    def day(self) -> BankDay:
        with self.books.reading() as session:
            return match_waiting(session, self.books.clock.today())

    def open_yen(self, reservation_id: str) -> int:
        with self.books.reading() as session:
            found = standings(session, [reservation_id], self.books.clock.today())
        return sum(one.open_yen for one in found[reservation_id])

    def overpaid_yen(self, reservation_id: str) -> int:
        with self.books.reading() as session:
            found = standings(session, [reservation_id], self.books.clock.today())
        return sum(one.overpaid_yen for one in found[reservation_id])


@pytest.fixture
def bank(books: Books) -> Bank:
    """Hanako Sato and Taro Yamada, each with the move-in invoice of September and October's rent."""
    house = Bank(books)
    for name, kana in (("佐藤 花子", "サトウ ハナコ"), ("山田 太郎", "ヤマダ タロウ")):
        house.residents.append(
            books.booked(
                date(2026, 8, 20), date(2026, 9, 1), date(2027, 8, 31), name=name, name_kana=kana
            )
        )
    house.hanako, house.taro = house.residents
    books.bill(BILLED)
    books.at(TODAY)
    return house
