"""The verdicts of a bank day are kept until a resident, a bill, a payer or a transfer changes."""

from datetime import date

import pytest

from pms.bank.payers import learn_payer
from pms.bank.transfers import place_certain, set_transfer_aside
from pms.bank.whole_imports import undo_import
from pms.reservations.models import Reservation
from pms.rules.enumerations import TransferState
from tests.bank.conftest import Bank
from tests.bank.statement_files import Moved, statement_file

pytestmark = pytest.mark.differs("versions")
_DAY = date(2026, 11, 2)


def _found(bank: Bank) -> tuple[int, int, int, int]:
    day = bank.day()
    return len(day.certain), len(day.likely), len(day.unknown), len(day.kept)


def test_a_day_is_matched_once_while_nothing_changes(bank: Bank) -> None:
    bank.read(statement_file([Moved("サトウ ハナコ", bank.open_yen(bank.hanako), _DAY)]))
    assert bank.day() is bank.day()
    bank.books.at(date(2026, 11, 21))
    assert _found(bank) == (1, 0, 0, 0)


def test_whatever_a_verdict_is_made_of_makes_it_anew(bank: Bank) -> None:
    owed = bank.open_yen(bank.hanako)
    (done,) = bank.read(
        statement_file([Moved("サトウ ハナコ", owed, _DAY), Moved("カ）アオバ", owed, _DAY)])
    )
    assert _found(bank) == (1, 0, 1, 0)
    with bank.books.writing() as session:
        row = session.get_one(Reservation, (bank.books.workspace_id, bank.hanako))
        row.name, row.name_kana = "鈴木 一", "スズキ ハジメ"
    assert _found(bank) == (0, 0, 2, 0), "a resident was renamed"
    bank.books.do(learn_payer, payer="カ）アオバ", reservation_id=bank.hanako)
    assert _found(bank) == (1, 0, 1, 0), "a payer was learnt"
    bank.books.pay(bank.books.clock.today(), bank.hanako, 10_000)
    assert _found(bank)[0] == 0, "a bill was paid in part"
    unknown = bank.day().every_one[0].transfer_id
    bank.books.do(set_transfer_aside, unknown, TransferState.KEPT)
    assert _found(bank)[3] == 1, "a transfer was set aside"
    bank.books.do(set_transfer_aside, unknown, TransferState.WAITING)
    bank.books.do(undo_import, done.import_id)
    assert _found(bank) == (0, 0, 0, 0), "the file was taken out"


def test_what_was_recorded_waits_no_more(bank: Bank) -> None:
    bank.read(statement_file([Moved("サトウ ハナコ", bank.open_yen(bank.hanako), _DAY)]))
    assert _found(bank) == (1, 0, 0, 0)
    bank.books.do(place_certain)
    assert _found(bank) == (0, 0, 0, 0)
