"""A house whose rents come by bank."""

import json
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest

from pms.bank.imports import Imported, import_file
from pms.bank.verdicts import BankDay, match_waiting
from pms.foundation.settings import Settings
from pms.ledger.queries import standings
from tests.commands import run_command
from tests.ledger.conftest import Books, books

__all__ = ["bank", "books", "run"]
BILLED = date(2026, 9, 25)
TODAY = date(2026, 11, 20)


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


@pytest.fixture
def run(settings: Settings, bank: Bank) -> Any:
    """Run the command over the test's database and on its day."""

    def invoke(*text: str) -> Any:
        arguments = ["bank", *text, "-w", "sumida", "--json"]
        result = run_command(arguments, bank.books.clock, settings)
        assert result.exit_code == 0, result.output
        return json.loads(result.output)

    return invoke
