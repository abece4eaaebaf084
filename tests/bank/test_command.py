"""`pms bank ...` as an operator runs it."""

from pathlib import Path
from typing import Any

import pytest

from pms.foundation.errors import Refused
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
    told = run("status")
    assert (told["certain"], told["likely"], told["unknown"]) == (1, 0, 1)
    assert run("place") == {"placed": 1}
    told = run("status")
    assert (told["certain"], told["imports"][0]["placed"]) == (0, 1)
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
