"""A file is opened and read before the transaction that writes what was read of it, at every door."""

from collections.abc import Callable
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import func, select

from pms.arrivals.models import SentSheet, Takeover, TakeoverFile
from pms.arrivals.sheet_imports import sheet_template
from pms.arrivals.sheets import reading as arrivals_reading
from pms.arrivals.takeover import going_live, guides
from pms.arrivals.takeover.guides import TypedRow
from pms.bank import statement_files, whole_imports
from pms.bank.models import BankImport
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision
from pms.foundation.files import Files
from pms.foundation.runs import Run
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from pms.reservations.models import Reservation
from pms.rules import bank_orders, bank_statements
from pms.rules.enumerations import SheetKind
from pms.sheets import tables
from pms.sheets.refusals import SheetRefused
from pms.sheets.tables import open_tables
from pms.workspaces import logos
from tests.bank.statement_files import Moved, statement_file
from tests.cast import Cast
from tests.imports.test_workbooks import row, workbook
from tests.sheets.bombs import BOMBS, PICTURES
from tests.staff import Browser
from tests.surfaces.dashboard.test_takeover import _ROLL, send
from tests.while_writing import watch_writing

_READERS = (
    (tables, "decode"),
    (tables, "read_records"),
    (tables, "read_sheets"),
    (bank_statements, "read_groups"),
    (bank_orders, "read_groups"),
)


@pytest.fixture
def while_writing(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each reading of a file, whether its thread had a transaction open to write."""
    return watch_writing(monkeypatch, *_READERS)


@pytest.fixture
def tools(settings: Settings, database: Database, clock: FixedClock) -> Tools:
    """The worker's tools."""
    return Tools(settings, database, clock, choose_postbox(settings))


def stored_files(settings: Settings) -> set[str]:
    return {path.name for path in Path(settings.files_dir).glob("*/*")}


def test_a_take_over_is_read_before_each_of_its_steps_is_written(
    office: Browser, while_writing: list[bool], cast: Cast, database: Database
) -> None:
    guide = send(office)
    added = office.post(f"{guide}/more-files", {"file": (BytesIO(_ROLL.encode()), "more.csv")})
    office.post(f"{guide}/files", {"billedThrough": "2026-11-30", "asOf": "2026-11-20"})
    office.post(f"{guide}/rooms", {})
    live = office.post(f"{guide}/check", {"depositHeld": "1", "live": "1"})
    assert (added.status_code, live.status_code) == (303, 422)
    assert len(while_writing) > 6
    assert not any(while_writing)
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalars(select(TakeoverFile.name).order_by(TakeoverFile.position)).all() == [
            "roll.csv",
            "more.csv",
        ]


def test_a_long_take_over_is_read_by_the_worker_before_it_writes(
    office: Browser,
    while_writing: list[bool],
    tools: Tools,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(going_live, "MOST_AT_ONCE", 5)
    guide = send(office)
    sums = {"depositHeld": "1200000", "unpaid": "0", "overpaid": "0", "live": "1"}
    assert office.post(f"{guide}/check", sums).status_code == 303
    before = len(while_writing)
    do_asked_runs(tools)
    assert len(while_writing) > before
    assert not any(while_writing)
    with tools.database.reading(cast.sumida.workspace_id) as session:
        taken = Reservation.taken_over_on.is_not(None)
        assert session.scalar(select(func.count()).where(taken)) == 24


def test_a_guide_that_was_changed_since_it_was_read_does_not_go_live(
    office: Browser, database: Database, settings: Settings, clock: FixedClock, cast: Cast
) -> None:
    takeover_id = send(office).removeprefix("/takeover/")
    files, workspace_id = Files(settings), cast.sumida.workspace_id
    with database.reading(workspace_id) as session:
        guide = guides.read_guide(session, clock, files, takeover_id)
        more = guides.open_new_files(
            session, clock, files, [("b.csv", _ROLL.encode())], takeover_id
        )
    typed = [TypedRow(guide.prepared.rows[0].at, {"rent": "51000"}, {})]
    database.write(workspace_id, lambda session: guides.edit_rows(session, guide, typed))

    def act(verb: Callable[[Work], object]) -> None:
        database.write_as(workspace_id, clock, "staff", verb)

    with pytest.raises(Collision, match="changed this import"):
        act(lambda work: going_live.go_live(work, guide))
    act(lambda work: guides.add_files(work, files, takeover_id, more))
    with pytest.raises(Collision, match="changed this import"):
        act(lambda work: guides.add_files(work, files, takeover_id, more))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BOMBS["laughs among the texts"](), "This workbook cannot be read"),
        (b'a,b\n1,2\n"' + b"c,d\n" * 20_000, "quotation mark"),
    ],
    ids=["laughs", "one open quotation mark"],
)
def test_a_refused_file_of_a_take_over_is_not_stored(
    office: Browser,
    database: Database,
    settings: Settings,
    cast: Cast,
    *,
    content: bytes,
    words: str,
) -> None:
    before = stored_files(settings)
    good, bomb = (BytesIO(_ROLL.encode()), "a.csv"), (BytesIO(content), "b.xlsx")
    answer = office.post("/takeover?lang=en", {"file": [good, bomb]})
    assert answer.status_code == 422
    assert words in answer.text
    assert stored_files(settings) == before
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalar(select(func.count()).select_from(Takeover)) == 0


def test_a_logo_is_stored_before_it_is_set(
    operator: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    while_writing = watch_writing(monkeypatch, (logos, "store_logo"))
    picture = BytesIO()
    Image.new("RGB", (200, 200), "green").save(picture, "PNG")
    sent = {"logo": (BytesIO(picture.getvalue()), "logo.png")}
    assert operator.post("/settings/logo", sent).status_code == 303
    assert while_writing == [False]


_DAY = date(2026, 11, 2)
_ROWS = row(1, "取引日", "出金", "入金", "摘要", "残高") + row(
    2, "2026/11/02", "", "50000", "振込 ヤマダ", "50000"
)
_BANK_FILES = {
    "records": statement_file([Moved("ヤマダ", 50_000, _DAY)]),
    "text": "日付,摘要,出金,入金\n2026/11/02,振込 ヤマダ,,50000\n".encode(),
    "workbook": workbook(S=_ROWS),
}


@pytest.mark.parametrize("form", sorted(_BANK_FILES))
@pytest.mark.parametrize("is_long", [False, True])
def test_a_bank_file_is_read_before_it_is_imported(
    office: Browser,
    while_writing: list[bool],
    tools: Tools,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    *,
    form: str,
    is_long: bool,
) -> None:
    if is_long:
        monkeypatch.setattr(whole_imports, "LONG_FILE_BYTES", 0)
    checked = office.post("/bank", {"file": (BytesIO(_BANK_FILES[form]), "bank"), "check": "1"})
    assert checked.status_code == 200
    named = {} if form == "records" else {"account": "new", "accountName": "Rent"}
    sent = office.post("/bank", {"file": (BytesIO(_BANK_FILES[form]), "bank")} | named)
    assert sent.status_code == 303, sent.text
    do_asked_runs(tools)
    assert while_writing
    assert not any(while_writing)
    with tools.database.reading(cast.sumida.workspace_id) as session:
        assert session.scalar(select(func.count()).select_from(BankImport)) == 1


def test_a_long_file_without_an_account_is_refused_at_once(
    office: Browser, database: Database, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_imports, "LONG_FILE_BYTES", 0)
    answer = office.post("/bank", {"file": (BytesIO(_BANK_FILES["text"]), "bank.csv")})
    assert answer.status_code == 422
    assert 'name="account"' in answer.text
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalar(select(func.count()).select_from(Run)) == 0


def test_the_banks_answer_to_a_debit_is_read_before_it_is_taken(
    office: Browser, while_writing: list[bool]
) -> None:
    content = _BANK_FILES["records"]
    answer = office.post("/bank/debits/results?lang=en", {"file": (BytesIO(content), "result")})
    assert answer.status_code == 422
    assert "kind 03" in answer.text
    assert while_writing == [False]


_LAUGHS = "laughs among the texts"


@pytest.mark.parametrize("button", ["check", "import"])
def test_a_bank_file_that_cannot_be_opened_is_refused_once_and_not_kept(
    office: Browser,
    while_writing: list[bool],
    settings: Settings,
    button: str,
) -> None:
    before = stored_files(settings)
    answer = office.post("/bank", {"file": (BytesIO(BOMBS[_LAUGHS]()), "bank.csv"), button: "1"})
    assert answer.status_code == 422
    assert while_writing == [False]
    assert stored_files(settings) == before


def _long_list(rows: int) -> bytes:
    moved = "".join(f"2026/11/02,振込 ヤマダ{number},,50000\n" for number in range(rows))
    return f"\n日付,摘要,出金,入金\n\n{moved}".encode()


@pytest.mark.parametrize("button", ["check", "import"])
def test_a_list_of_a_bank_with_too_many_rows_is_refused_with_their_number_and_not_kept(
    office: Browser, settings: Settings, monkeypatch: pytest.MonkeyPatch, button: str
) -> None:
    monkeypatch.setattr(statement_files, "MOST_ROWS", 3)
    before = stored_files(settings)
    file = (BytesIO(_long_list(4)), "bank.csv")
    answer = office.post("/bank?lang=en", {"file": file, "account": "new", button: "1"})
    assert answer.status_code == 422
    assert "has 4 rows, without its headings; at most 3" in answer.text
    assert stored_files(settings) == before
    checked = office.post("/bank", {"file": (BytesIO(_long_list(3)), "bank.csv"), "check": "1"})
    assert checked.status_code == 200


def test_the_rows_of_all_sheets_of_a_banks_workbook_are_counted_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(statement_files, "MOST_ROWS", 1)
    with pytest.raises(SheetRefused, match="has 2 rows"):
        statement_files.read_bank_file(workbook(S=_ROWS, T=_ROWS), _DAY)


def test_a_list_of_as_many_rows_as_are_read_is_read_whole() -> None:
    found = statement_files.read_bank_file(_long_list(statement_files.MOST_ROWS), _DAY)
    assert sum(len(statement.rows) for statement in found.statements) == statement_files.MOST_ROWS


@pytest.mark.parametrize("kind", list(SheetKind))
def test_an_imported_list_with_too_many_rows_is_refused_at_once_and_not_kept(
    office: Browser,
    database: Database,
    settings: Settings,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
    *,
    kind: SheetKind,
) -> None:
    monkeypatch.setattr(arrivals_reading, "MOST_ROWS", 1)
    template = next(iter(open_tables(sheet_template(kind.value, "ja")))).records()
    lines = [",".join(f'"{cell}"' for cell in record.cells) for record in template]
    content = "\n".join([*lines, lines[-1]]).encode()
    before = stored_files(settings)
    answer = office.post("/import?lang=en", {"file": (BytesIO(content), "a.csv"), "kind": kind})
    assert answer.status_code == 422
    assert "has 2 rows, without its headings; at most 1" in answer.text
    assert stored_files(settings) == before
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalar(select(func.count()).select_from(SentSheet)) == 0


_HALF_A_PICTURE = "half a picture"
_DOORS = {
    **{f"import of {kind}": ("/import", "file", {"kind": kind.value}) for kind in SheetKind},
    "take-over": ("/takeover", "file", {}),
    "debit result": ("/bank/debits/results", "file", {}),
    "photos of a house": ("/photos/many", "photo", {"building": "sumida"}),
    "logo": ("/settings/logo", "logo", {}),
}


@pytest.mark.parametrize("door", sorted(_DOORS))
def test_no_door_keeps_a_file_that_it_refused(
    operator: Browser, settings: Settings, cast: Cast, door: str
) -> None:
    path, field, given = _DOORS[door]
    if "building" in given:
        given = {"building": cast.sumida.building_id}
    content = PICTURES[_HALF_A_PICTURE]() if field != "file" else BOMBS[_LAUGHS]()
    before = stored_files(settings)
    assert operator.post(path, {field: (BytesIO(content), "file"), **given}).status_code == 422
    assert stored_files(settings) == before


def test_a_guide_keeps_no_file_that_it_refused_beside_its_own(
    office: Browser, settings: Settings
) -> None:
    guide = send(office)
    before = stored_files(settings)
    bomb = (BytesIO(BOMBS[_LAUGHS]()), "more.xlsx")
    assert office.post(f"{guide}/more-files", {"file": bomb}).status_code == 422
    assert stored_files(settings) == before
