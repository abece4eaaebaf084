"""The office sends a sheet, sees what it would do, and has it written."""

from io import BytesIO
from urllib.parse import urlsplit

from sqlalchemy import select

from pms.arrivals.models import SentSheet
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools, do_asked_runs
from tests.cast import Cast
from tests.imports.test_workbooks import row, workbook
from tests.staff import Browser

_SHEET = (
    "物件名,部屋番号,種別,賃料\nみなと荘,101,シェアハウス,52000\nみなと荘,102,シェアハウス,abc\n"
)
_FOREIGN_WORDS = "Haus,Zimmer,Art,Miete\nみなと荘,101,シェアハウス,52000\n"


def _send(browser: Browser, text: str, kind: str = "units") -> str:
    content = BytesIO(text.encode())
    answer = browser.post("/import", {"kind": kind, "file": (content, "sheet.csv")})
    assert answer.status_code == 303, answer.text
    return urlsplit(answer.location).path.removeprefix(browser.home)


def test_a_sheet_tells_what_it_would_do_and_writes_nothing(office: Browser) -> None:
    shown = office.get(_send(office, _SHEET) + "?lang=en").text
    assert "Import 1 row" in shown
    assert "みなと荘" not in office.get("/units").text


def test_a_sheet_looked_at_is_written_by_the_worker(
    office: Browser, database: Database, settings: Settings, clock: FixedClock
) -> None:
    address = _send(office, _SHEET)
    asked = office.post(f"{address}/run")
    assert asked.status_code == 303
    do_asked_runs(Tools(settings, database, clock, choose_postbox(settings)))
    assert "みなと荘" in office.get("/units?search=みなと荘").text
    run = office.get(urlsplit(asked.location).path.removeprefix(office.home) + "?lang=en").text
    assert "Line" in run or "problem" in run


def test_titles_nobody_knows_are_chosen_by_hand(office: Browser) -> None:
    address = _send(office, _FOREIGN_WORDS)
    assert "Zimmer" in office.get(address).text
    chosen = {
        "column.building": "Haus",
        "column.unit": "Zimmer",
        "column.type": "Art",
        "column.base_rent": "Miete",
    }
    assert office.post(f"{address}/columns", chosen).status_code == 303
    assert "Import 1 row" in office.get(f"{address}?lang=en").text


def test_an_odd_row_is_taken_only_when_it_is_ticked(office: Browser) -> None:
    address = _send(office, _SHEET.replace("52000", "0"))
    shown = office.get(f"{address}?lang=en").text
    assert "1 row needs your confirmation" in shown
    assert "Import 1 row" not in shown
    assert office.post(f"{address}/confirmed", {"shown": "2", "confirmed": "2"}).status_code == 303
    assert "Import 1 row" in office.get(f"{address}?lang=en").text
    assert office.post(f"{address}/confirmed", {"shown": "2"}).status_code == 303
    assert "Import 1 row" not in office.get(f"{address}?lang=en").text


def test_other_columns_take_back_what_was_confirmed(office: Browser) -> None:
    address = _send(office, _SHEET.replace("52000", "0"))
    office.post(f"{address}/confirmed", {"shown": "2", "all": "1"})
    chosen = {"column.building": "物件名", "column.unit": "部屋番号", "column.type": "種別"}
    office.post(f"{address}/columns", {**chosen, "column.base_rent": "賃料"})
    assert "1 row needs your confirmation" in office.get(f"{address}?lang=en").text


def test_a_sheet_of_a_workbook_is_chosen(office: Browser) -> None:
    header = row(1, "building", "unit", "type")
    book = workbook(
        One=header + row(2, "A", 101, "apartment"), Two=header + row(2, "B", 9, "apartment")
    )
    answer = office.post("/import", {"kind": "units", "file": (BytesIO(book), "rooms.xlsx")})
    address = urlsplit(answer.location).path.removeprefix(office.home)
    assert "Reading sheet “One”. Not reading: Two" in office.get(f"{address}?lang=en").text
    assert office.post(f"{address}/columns", {"sheet": "Two"}).status_code == 303
    assert "Reading sheet “Two”. Not reading: One" in office.get(f"{address}?lang=en").text
    assert office.post(f"{address}/columns", {"sheet": "Three"}).status_code == 422


def test_one_title_is_not_two_columns(office: Browser) -> None:
    address = _send(office, _FOREIGN_WORDS)
    chosen = {"column.building": "Haus", "column.unit": "Haus"}
    assert office.post(f"{address}/columns", chosen).status_code == 422


def test_what_is_no_sheet_is_refused_at_once(office: Browser) -> None:
    content = BytesIO(b"PK\x03\x04 a workbook")
    answer = office.post("/import", {"kind": "units", "file": (content, "units.xlsx")})
    assert answer.status_code == 422


def test_refused_rows_come_back_as_a_sheet(office: Browser) -> None:
    kept = office.get(f"{_send(office, _SHEET)}/refused.csv")
    assert kept.mimetype == "text/csv"
    assert "abc" in kept.get_data(as_text=True)


def test_a_sheet_sent_by_mistake_is_deleted_with_its_file(
    office: Browser, database: Database, cast: Cast
) -> None:
    address = _send(office, _SHEET)
    listed = office.get("/import?lang=en").text
    assert "Uploaded files" in listed
    assert f"{address}#deletion" in listed
    with database.reading(cast.sumida.workspace_id) as session:
        key = session.scalars(select(SentSheet.file_key)).one()
    assert Files(database.settings).get(key) is not None
    assert office.post(f"{address}/deletion").location == f"{office.home}/import"
    assert Files(database.settings).get(key) is None
    assert office.get(address).status_code == 404
    assert "sheet.csv" not in office.get("/import").text


def test_a_sheet_that_is_being_imported_is_not_deleted(office: Browser) -> None:
    address = _send(office, _SHEET)
    office.post(f"{address}/run")
    answer = office.post(f"{address}/deletion?lang=en")
    assert answer.status_code == 422
    assert "is being imported" in answer.text
    assert office.get(address).status_code == 200


def test_deleting_a_sheet_of_an_earlier_version_leaves_a_file_that_others_may_share(
    office: Browser, database: Database, cast: Cast
) -> None:
    address = _send(office, _SHEET)
    files = Files(database.settings)
    key = files.put(_SHEET.encode(), "csv")
    with database.writing(cast.sumida.workspace_id) as session:
        session.scalars(select(SentSheet)).one().file_key = key
    assert office.post(f"{address}/deletion").status_code == 303
    assert files.get(key) == _SHEET.encode()
