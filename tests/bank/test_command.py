"""`pms bank ...` as an operator runs it."""

from pathlib import Path
from typing import Any

import pytest

from pms.foundation.errors import Refused
from pms.ledger.queries import standings
from tests.bank.conftest import Bank
from tests.bank.statement_files import Moved, statement_file

RENT = 83_000


def test_a_bank_day_by_the_command_line(run: Any, bank: Bank, tmp_path: Path) -> None:
    file = tmp_path / "statement.txt"
    file.write_bytes(statement_file([Moved("サトウ ハナコ", RENT), Moved("モガミ テルミ", 500)]))
    (done,) = run("import", str(file))
    assert (done["new_rows"], done["gap_yen"]) == (2, 0)
    (again,) = run("import", str(file))
    assert again["new_rows"] == 0
    result = run("status")
    assert (result["certain"], result["likely"], result["unknown"]) == (1, 0, 1)
    assert run("place") == {"placed": 1, "refused": []}
    result = run("status")
    assert (result["certain"], result["imports"][0]["placed"]) == (0, 1)
    assert run("undo", done["import_id"], "--with-payments") == {"reversed": 1, "taken_out": 2}
    assert run("status")["imports"] == []


def test_an_import_is_undone_by_the_command_line(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_text("Tag,Wer,Betrag\n2026/10/01,モガミ テルミ,500\n", encoding="utf-8")
    columns = ["--column", "day=Tag", "--column", "payer=Wer", "--column", "amount=Betrag"]
    with pytest.raises(Refused, match="account"):
        run("import", str(file), *columns)
    (done,) = run("import", str(file), "--account", "Net bank", *columns)
    assert run("undo", done["import_id"]) == {"taken_out": 1}
    assert run("status")["imports"] == []


def test_what_a_person_decides_about_a_transfer_is_done_by_the_command_line(
    run: Any, bank: Bank, tmp_path: Path
) -> None:
    file = tmp_path / "statement.txt"
    owed = bank.open_yen(bank.hanako), bank.open_yen(bank.taro)
    moved = [Moved("サトウ テルミ", owed[0]), Moved("カ)アオバ", owed[1])]
    file.write_bytes(statement_file(moved))
    run("import", str(file))
    likely, unknown = run("transfers")
    assert (likely["state"], unknown["state"]) == ("likely", "unknown")
    assert likely["offers"].startswith("1: 佐藤 花子")
    with pytest.raises(Refused, match="offer: There is no suggestion 2"):
        run("record", likely["transfer"], "--offer", "2")
    assert run("record", likely["transfer"], "--offer", "1")["payments"] == 1
    with bank.books.reading() as session:
        entries = standings(session, [bank.taro], bank.books.clock.today())[bank.taro]
    bills = [f"--bill={bank.taro}/{one.id}" for one in entries if one.open_yen]
    assert run("aside", unknown["transfer"], "--as", "kept")["state"] == "kept"
    assert [one["state"] for one in run("transfers")] == ["kept"]
    assert run("record", unknown["transfer"], *bills, "--learn")["payments"] == 1
    assert (bank.open_yen(bank.hanako), bank.open_yen(bank.taro)) == (0, 0)
    remembered = {one["payer"]: one for one in run("payers")}
    assert set(remembered) == {"ｻﾄｳ ﾃﾙﾐ", "ｶ)ｱｵﾊﾞ"}
    run("forget", remembered["ｻﾄｳ ﾃﾙﾐ"]["payer_id"])
    assert run("off", unknown["transfer"], "--reason", "of another")["reversed"] == 1
    assert run("payers") == []
    assert bank.open_yen(bank.taro) == owed[1]
    with pytest.raises(AssertionError, match="Give either"):
        run("record", unknown["transfer"])
