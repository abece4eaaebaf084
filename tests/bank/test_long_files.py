"""A long file is imported by a run in parts, and undone by one; nobody meets half a file."""

import os
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from pms.bank.import_lists import imports_in_force
from pms.bank.import_undoing import ask_to_undo
from pms.bank.imports import AskedImport, add_rows, end_import
from pms.bank.models import BankTransfer
from pms.bank.statement_files import read_bank_file
from pms.bank.statement_previews import KEPT_SUFFIX, forget_previewed_files
from pms.bank.transfers import place_certain
from pms.bank.whole_imports import ask_to_import, begin_imports
from pms.departures.notices import file_notice
from pms.deposits.settlements import settle
from pms.foundation.files import Files
from pms.foundation.phrases import phrase_of
from pms.foundation.runs import Run, ask_to_stop
from pms.foundation.work import Work
from pms.jobs.bank_runs import statement_run, undoing_run
from pms.rules.enumerations import RunState, TransferState
from tests.bank.conftest import TODAY, Bank
from tests.bank.statement_files import Moved, statement_file
from tests.ledger.conftest import ACTOR

pytestmark = pytest.mark.differs("locks and unique keys")
RENT = 83_000
SECOND = date(2026, 10, 2)
MOVED = [
    Moved("サトウ ハナコ", RENT),
    Moved("", 880, is_deposit=False, code="14"),
    Moved("ヤマダ タロウ", RENT, SECOND),
]


def asked(bank: Bank, data: bytes, **said: bool) -> Run:
    files = Files(bank.books.database.settings)
    kept = files.put_alone(data, ".bank")
    about = AskedImport("november.txt", None, {}, said.get("accepts_gap", False))
    run: Run = bank.books.do(ask_to_import, files, data, kept, about)
    return run


def path_of(bank: Bank, key: str) -> Path:
    return bank.books.database.settings.files_dir / key[:2] / key


def imported(bank: Bank, run: Run, part: int = 2) -> Run:
    books = bank.books
    return statement_run(books.database, books.clock, books.workspace_id, run_id=run.id, part=part)


def stop(bank: Bank, run: Run) -> None:
    with bank.books.writing() as session:
        ask_to_stop(Work(session, bank.books.clock, ACTOR), run.id)


def rows_of(bank: Bank) -> int:
    with bank.books.reading() as session:
        return session.scalar(select(func.count()).select_from(BankTransfer)) or 0


def test_a_long_file_is_imported_in_parts_and_once(bank: Bank) -> None:
    data = statement_file(MOVED, 1000)
    run = asked(bank, data)
    assert asked(bank, data).id == run.id
    ended = imported(bank, run)
    assert (ended.state, ended.done, ended.total) == (RunState.FINISHED, 3, 3)
    assert ended.result["new_rows"] == 3
    assert len(bank.day().certain) == 2
    with bank.books.reading() as session:
        (shown,) = imports_in_force(session)
    assert (shown.new_rows, shown.closing_yen) == (3, 1000 + 2 * RENT - 880)
    assert shown.states == {TransferState.WAITING: 2, TransferState.NOT_OURS: 1}
    again = imported(bank, asked(bank, data))
    assert (again.state, again.total, again.result["new_rows"]) == (RunState.FINISHED, 0, 0)
    assert rows_of(bank) == 3


def test_a_previewed_file_that_nobody_imported_is_deleted_after_a_day(bank: Bank) -> None:
    books = bank.books
    files, old = Files(books.database.settings), books.clock.now() - timedelta(hours=25)
    kept = asked(bank, statement_file(MOVED, 1000)).asked["kept"]
    previewed, new = (files.put_alone(b"a statement", KEPT_SUFFIX) for _ in range(2))
    passport = files.put_alone(b"a passport", "webp")
    for key in (kept, previewed, passport):
        os.utime(path_of(bank, key), times=(old.timestamp(), old.timestamp()))
    os.utime(path_of(bank, new), times=(books.clock.now().timestamp(),) * 2)
    with books.database.across_workspaces_reading() as session:
        assert forget_previewed_files(session, books.clock, files) == 1
    assert files.get(previewed) is None
    assert all(files.get(key) for key in (kept, new, passport))


def test_rows_wait_for_their_bills_only_when_the_whole_file_is_stored(bank: Bank) -> None:
    taken_back = Moved("サトウ ハナコ", RENT, SECOND, is_deposit=False, code="19")
    found = read_bank_file(statement_file([*MOVED, taken_back], 1000), TODAY)
    about = AskedImport("november.txt", None, {}, accepts_gap=False)
    (begun,) = bank.books.do(begin_imports, found, about, {})
    assert begun.import_id is not None
    with bank.books.writing() as session:
        add_rows(session, begun.account_id, begun.import_id, begun.new[:3])
    assert (rows_of(bank), bank.day().every_one) == (3, ())
    (again,) = bank.books.do(begin_imports, found, about, {"0": begun.import_id})
    assert again == begun._replace(new=begun.new[3:])
    with bank.books.writing() as session:
        add_rows(session, again.account_id, begun.import_id, again.new)
    bank.books.do(end_import, begun.import_id, found.statements[0])
    assert [one.match.row.payer for one in bank.day().certain] == ["ﾔﾏﾀﾞ ﾀﾛｳ"]


def test_a_stopped_import_goes_on_where_it_was(bank: Bank) -> None:
    data = statement_file(MOVED, 1000)
    run = asked(bank, data)
    stop(bank, run)
    assert (imported(bank, run).state, rows_of(bank)) == (RunState.STOPPED, 0)
    assert asked(bank, data).id == run.id
    ended = imported(bank, run, part=1)
    assert (ended.state, ended.done, rows_of(bank)) == (RunState.FINISHED, 3, 3)


def test_a_faulty_file_is_refused_whole_with_its_line_and_byte(bank: Bank) -> None:
    whole = statement_file(MOVED, 1000)
    record = 202 + 21  # the direction in the first row of data
    ended = imported(bank, asked(bank, whole[:record] + b"3" + whole[record + 1 :]))
    assert (ended.state, rows_of(bank)) == (RunState.FINISHED_WITH_PROBLEMS, 0)
    (refused,) = ended.result["refused"]
    assert "record 2, byte 22" in refused["message"]
    assert str(phrase_of(refused["sentence"])) in refused["message"]
    with bank.books.reading() as session:
        assert imports_in_force(session) == []


def test_a_gap_in_any_account_refuses_the_whole_file(bank: Bank) -> None:
    bank.read(statement_file(MOVED[:1], 1000))
    later = statement_file([Moved("サトウ ハナコ", 1, date(2026, 11, 2))], 12_345, first=9)
    ended = imported(bank, asked(bank, later))
    assert ended.state is RunState.FINISHED_WITH_PROBLEMS
    assert "rows in between are missing" in ended.result["refused"][0]["message"]
    assert rows_of(bank) == 1
    assert imported(bank, asked(bank, later, accepts_gap=True)).state is RunState.FINISHED
    assert rows_of(bank) == 2


def test_an_import_with_many_payments_is_undone_in_parts(bank: Bank) -> None:
    (done,) = bank.read(statement_file(MOVED, 1000))
    owed = [bank.open_yen(one) for one in bank.residents]
    assert bank.books.do(place_certain).number == 2
    run = bank.books.do(ask_to_undo, done.import_id, reason="wrong file")
    books = bank.books
    ended = undoing_run(books.database, books.clock, books.workspace_id, run_id=run.id, part=1)
    assert (ended.state, ended.done, ended.total) == (RunState.FINISHED, 2, 2)
    assert (ended.result["rows"], rows_of(bank)) == (3, 0)
    assert [bank.open_yen(one) for one in bank.residents] == owed


def test_a_payment_that_cannot_be_reversed_keeps_the_rows_and_no_other_payment(bank: Bank) -> None:
    days = date(2026, 8, 20), date(2026, 9, 1), date(2027, 8, 31)
    jiro = bank.books.booked(*days, name="鈴木 次郎", name_kana="スズキ ジロウ", deposit_yen=60_000)
    bank.books.at(TODAY)
    paid, owed = bank.open_yen(jiro), bank.open_yen(bank.taro)
    moved = [Moved("スズキ ジロウ", paid), Moved("ヤマダ タロウ", RENT, SECOND)]
    (done,) = bank.read(statement_file(moved, 1000))
    assert bank.books.do(place_certain).number == 2
    bank.books.do(file_notice, reservation_id=jiro, move_out_on=date(2026, 12, 21))
    bank.books.at(date(2026, 12, 22))
    bank.books.do(settle, reservation_id=jiro)
    run = bank.books.do(ask_to_undo, done.import_id, reason="wrong file")
    books = bank.books
    ended = undoing_run(books.database, books.clock, books.workspace_id, run_id=run.id, part=1)
    assert (ended.state, ended.done) == (RunState.FINISHED_WITH_PROBLEMS, 2)
    (refused,) = ended.result["refused"]
    assert "ｽｽﾞｷ ｼﾞﾛｳ" in refused["row"]
    assert "settlement" in refused["message"]
    assert (rows_of(bank), bank.open_yen(bank.taro)) == (2, owed)
