"""A bank's file is read in once, however often it comes, and is taken out while nothing rests on it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import func, select

from pms.bank.bank_day import waiting_totals
from pms.bank.import_lists import imports_in_force
from pms.bank.import_undoing import undo_all_of_import, undo_import
from pms.bank.imports import import_file
from pms.bank.models import BankImport, BankTransfer
from pms.bank.transfers import place_certain, take_off
from pms.bank.verdicts import match_waiting
from pms.departures.notices import file_notice
from pms.deposits.settlements import settle
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import NotFound, Problem, Refused
from pms.foundation.work import Work
from pms.ledger.models import Payment
from pms.rules.bank_columns import TableRole
from pms.rules.enumerations import TransferState
from pms.statements.receipts import reverse_payment
from tests.bank.conftest import TODAY, Bank
from tests.bank.statement_files import Moved, statement_file
from tests.ledger.conftest import ACTOR

RENT = 83_000
SECOND = date(2026, 10, 2)
MOVED = [
    Moved("サトウ ハナコ", RENT),
    Moved("", 880, is_deposit=False, code="14"),
    Moved("ヤマダ タロウ", RENT, SECOND),
    Moved("ヤマダ タロウ", RENT, SECOND),
]


def rows_of(bank: Bank) -> int:
    with bank.books.reading() as session:
        return session.scalar(select(func.count()).select_from(BankTransfer)) or 0


@pytest.mark.differs("unique keys")
def test_a_file_that_comes_again_changes_nothing(bank: Bank) -> None:
    (first,) = bank.read(statement_file(MOVED, 1000))
    (again,) = bank.read(statement_file(MOVED, 1000, made="081106"))
    assert (first.new_rows, again.new_rows, again.import_id) == (4, 0, None)
    assert rows_of(bank) == 4


@pytest.mark.differs("unique keys")
def test_of_an_overlapping_file_only_the_new_rows_are_taken(bank: Bank) -> None:
    bank.read(statement_file(MOVED, 1000))
    later = [*MOVED[2:], Moved("スズキ ジロウ", 5_000, date(2026, 10, 3))]
    (overlap,) = bank.read(statement_file(later, 1000 + RENT - 880, first=3))
    assert (overlap.rows, overlap.new_rows, overlap.gap_yen) == (3, 1, 0)
    assert rows_of(bank) == 5


def test_the_same_rows_as_a_list_of_the_bank_are_not_taken_twice(bank: Bank) -> None:
    bank.read(statement_file(MOVED, 1000), account="Rent")
    text = (
        "日付,内容,出金金額(円),入金金額(円),残高(円),メモ\n"
        "2026/10/02,振込＊ヤマダ　タロウ,,83000,249120,\n"
        "2026/10/02,振込＊ヤマダ　タロウ,,83000,166120,\n"
        "2026/10/01,テスウリヨウ,880,,83120,\n"
        "2026/10/01,振込＊サトウ　ハナコ,,83000,84000,\n"
    )
    (again,) = bank.read(text.encode(), account="Rent")
    assert again.new_rows == 0


def test_a_list_without_balances_is_known_by_day_yen_and_payer(bank: Bank) -> None:
    bank.read(statement_file(MOVED, 1000), account="Rent")
    text = (
        "日付,内容,出金,入金\n2026/10/02,振込＊ヤマダ　タロウ,,83000\n"
        "2026/10/02,振込＊ヤマダ　タロウ,,83000\n2026/10/02,振込＊ヤマダ　タロウ,,83000\n"
    )
    (again,) = bank.read(text.encode(), account="Rent")
    assert again.new_rows == 1


def test_a_list_needs_the_name_of_its_account_once_and_is_recognised_again(bank: Bank) -> None:
    text = "Tag,Wer,Betrag\n2026/10/01,サトウ ハナコ,83000\n"
    chosen = {TableRole.DAY: "Tag", TableRole.PAYER: "Wer", TableRole.AMOUNT: "Betrag"}
    with pytest.raises(Refused, match="account"):
        bank.read(text.encode(), chosen=chosen)
    bank.read(text.encode(), chosen=chosen, account="Net bank")
    more = text.replace("2026/10/01", "2026/10/05").encode()
    (learnt,) = bank.read(more, account="Net bank")
    assert (learnt.new_rows, learnt.account) == (1, "Net bank")
    known = "日付,内容,出金,入金\n2026/10/07,振込 A,,100\n"
    bank.read(known.encode(), account="Large bank")
    (found,) = bank.read(known.replace("10/07", "10/08").encode())
    assert found.account == "Large bank"


def test_a_gap_is_told_and_taken_only_with_consent(bank: Bank) -> None:
    bank.read(statement_file(MOVED, 1000))
    later = [Moved("サトウ ハナコ", RENT, date(2026, 11, 2))]
    data = statement_file(later, 1000 + 3 * RENT - 880 + 12_345, first=9)
    with pytest.raises(Refused, match="12345"):
        bank.read(data)
    assert rows_of(bank) == 4
    (taken,) = bank.read(data, accepts_gap=True)
    assert (taken.new_rows, taken.gap_yen) == (1, 12_345)


def test_a_faulty_file_leaves_nothing_behind(bank: Bank) -> None:
    whole = statement_file(MOVED, 1000)
    record = 202 + 21  # the direction in the first row of data
    with pytest.raises(Refused, match="入払区分"):
        bank.read(whole[:record] + b"3" + whole[record + 1 :])
    assert rows_of(bank) == 0


@pytest.mark.differs("unique keys")
def test_an_import_is_undone_until_something_rests_on_it(bank: Bank) -> None:
    (done,) = bank.read(statement_file(MOVED[:1], 1000))
    assert bank.books.do(place_certain).number == 1
    with pytest.raises(Refused, match="recorded as payments"):
        bank.books.do(undo_import, done.import_id)
    with bank.books.reading() as session:
        (transfer_id,) = session.scalars(select(BankTransfer.id))
    bank.books.do(take_off, transfer_id, reason="wrong file")
    assert bank.books.do(undo_import, done.import_id) == 1
    assert rows_of(bank) == 0
    with pytest.raises(NotFound):
        bank.books.do(undo_import, done.import_id)
    (again,) = bank.read(statement_file(MOVED[:1], 1000))
    assert again.new_rows == 1
    with bank.books.reading() as session:
        audit_events = list(
            session.scalars(select(AuditRecord.audit_event).order_by(AuditRecord.id))
        )
    kept = [
        audit_event for audit_event in audit_events if audit_event.startswith(("bank", "transfer."))
    ]
    assert kept == [
        "bank_file.imported",
        "transfer.placed",
        "transfer.taken_off",
        "bank_import.undone",
        "bank_file.imported",
    ]


def test_everything_of_an_import_is_undone_together(bank: Bank) -> None:
    before = bank.open_yen(bank.hanako), bank.open_yen(bank.taro)
    (done,) = bank.read(statement_file(MOVED, 1000))
    assert bank.books.do(place_certain).number == 3
    undone = bank.books.do(undo_all_of_import, done.import_id, reason="wrong file")
    assert undone == (3, 4)
    assert (bank.open_yen(bank.hanako), bank.open_yen(bank.taro)) == before
    assert rows_of(bank) == 0
    (again,) = bank.read(statement_file(MOVED, 1000))
    assert again.new_rows == 4
    assert bank.books.do(place_certain).number == 3
    with pytest.raises(NotFound):
        bank.books.do(undo_all_of_import, done.import_id, reason="wrong file")


def test_nothing_of_an_import_is_undone_when_a_settlement_counted_one_payment(bank: Bank) -> None:
    days = date(2026, 8, 20), date(2026, 9, 1), date(2027, 8, 31)
    jiro = bank.books.booked(*days, name="鈴木 次郎", name_kana="スズキ ジロウ", deposit_yen=60_000)
    bank.books.at(TODAY)
    paid = bank.open_yen(jiro)
    moved = [Moved("スズキ ジロウ", paid), Moved("ヤマダ タロウ", RENT, SECOND)]
    (done,) = bank.read(statement_file(moved, 1000))
    assert bank.books.do(place_certain).number == 2
    owed = bank.open_yen(bank.taro)
    bank.books.do(file_notice, reservation_id=jiro, move_out_on=date(2026, 12, 21))
    bank.books.at(date(2026, 12, 22))
    bank.books.do(settle, reservation_id=jiro)
    with pytest.raises(
        Refused, match=f"{paid} yen by ｽｽﾞｷ ｼﾞﾛｳ on 2026-10-01.*settlement"
    ) as refusal:
        bank.books.do(undo_all_of_import, done.import_id, reason="wrong file")
    assert refusal.value.field == "import"
    assert (rows_of(bank), bank.open_yen(bank.taro)) == (2, owed)


def test_a_payment_reversed_in_the_ledger_does_not_keep_its_import(bank: Bank) -> None:
    (done,) = bank.read(statement_file(MOVED[:1], 1000))
    bank.books.do(place_certain)
    with bank.books.reading() as session:
        (payment_id,) = session.scalars(select(Payment.id))
    bank.books.do(reverse_payment, payment_id=payment_id, reason="twin")
    assert bank.books.do(undo_all_of_import, done.import_id, reason="wrong file") == (1, 1)


def test_what_came_in_is_told_with_how_it_stands(bank: Bank) -> None:
    bank.read(statement_file(MOVED, 1000))
    with bank.books.reading() as session:
        (shown,) = imports_in_force(session)
    assert shown.states == {TransferState.WAITING: 3, TransferState.NOT_OURS: 1}
    assert shown.closing_yen == 1000 + 3 * RENT - 880


@pytest.mark.differs("unique keys")
def test_a_file_read_in_by_several_at_once_is_taken_once(bank: Bank) -> None:
    data, barrier = statement_file(MOVED, 1000), Barrier(4)

    def run(_: int) -> Any:
        barrier.wait()
        try:
            with bank.books.writing() as session:
                return import_file(Work(session, bank.books.clock, ACTOR), data, file_name="a.txt")
        except Problem as refusal:
            return refusal

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(run, range(4)))
    assert sorted(one.new_rows for (one,) in found) == [0, 0, 0, 4]
    with bank.books.reading() as session:
        assert session.scalar(select(func.count()).select_from(BankImport)) == 1
    assert rows_of(bank) == 4


def test_a_row_more_than_two_weeks_ahead_refuses_the_file_with_its_line(bank: Bank) -> None:
    later = [*MOVED, Moved("サトウ ハナコ", RENT, date(2026, 12, 5))]
    with pytest.raises(Refused, match=r"line \d+: 2026-12-05 is more than 14 days after today"):
        bank.read(statement_file(later, 1000))
    assert rows_of(bank) == 0


def test_a_row_that_the_bank_dates_ahead_is_taken_and_waits_for_its_day(bank: Bank) -> None:
    bank.read(statement_file([Moved("サトウ ハナコ", RENT, date(2026, 11, 24))]))
    assert bank.day().every_one == ()
    with bank.books.reading() as session:
        assert waiting_totals(session, bank.books.clock.today()) == {}
    assert bank.books.do(place_certain).number == 0
    with bank.books.reading() as session:
        (found,) = match_waiting(session, date(2026, 11, 24)).certain
    assert found.match.row.booked_on == date(2026, 11, 24)


def test_a_list_with_western_years_of_two_digits_is_read_in(bank: Bank) -> None:
    text = "日付,摘要,入金,出金\n26/10/01,ヤマダ タロウ,500,\n"
    (done,) = bank.read(text.encode(), account="Rent")
    assert (done.first_on, done.new_rows) == (date(2026, 10, 1), 1)


def test_a_list_with_the_longest_notes_a_bank_may_write_is_read_in(bank: Bank) -> None:
    # Such a row is known by its words alone, where no balance stands.
    text = "日付,摘要,入金,出金\n" + f"2026/10/01,{'髙' * 300},500,\n" * 2
    (done,) = bank.read(text.encode("utf-8"), account="Rent")
    assert done.new_rows == 2
