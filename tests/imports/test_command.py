"""`pms import ...` as an operator runs it, on files as they come."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from pms.catalogue.models import Building, ExternalBlock, Unit
from pms.foundation.clock import FixedClock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.settings import Settings
from tests.commands import run_command
from tests.imports.conftest import Importing
from tests.imports.samples import SAMPLES
from tests.imports.test_workbooks import row, workbook


@pytest.fixture
def run(settings: Settings, ours: Importing) -> Any:
    """Run the command over the test's database and on its day, as an operator would."""

    def invoke(kind: str, file: str | Path, *options: str, slug: str = "ours") -> Result:
        path = SAMPLES / file if isinstance(file, str) else file
        arguments = ["import", kind, str(path), "--workspace", slug, *options]
        return run_command(arguments, ours.clock, settings)

    return invoke


def test_a_dry_run_prints_a_table_and_a_summary_and_writes_nothing(
    run: Any, ours: Importing
) -> None:
    output = run("units", "units_utf8.csv").output
    assert "share house" in output
    assert "type 'share house' is not one of apartment, sharehouse" in output
    assert "142 accepted, 0 changed, 0 unchanged, 8 refused, 1 passed over." in output
    assert output.endswith("Nothing was saved. Run it again with --commit to save.\n")
    assert ours.all_of(Building) == []


def test_a_committed_run_writes_and_a_second_one_tells_only_what_is_wrong(
    run: Any, ours: Importing
) -> None:
    assert run("units", "units_utf8.csv", "--commit").output.endswith("Written.\n")
    assert len(ours.all_of(Unit)) == 142
    again = run("units", "units_utf8.csv", "--commit").output
    assert "0 accepted, 0 changed, 142 unchanged, 8 refused" in again
    assert "Komorebi Court 101" not in again


def test_the_reasons_are_told_in_japanese(run: Any) -> None:
    output = run("rent-roll", "rent_roll_cp932.csv", "--language", "ja").output
    assert "2026/2/30 は存在しない日付です" in output
    assert "物件名は上の行から補いました: ソレイユ星見台" in output
    assert "rent-roll, cp932: 68 accepted" in output


def test_json_tells_every_row_with_codes_and_words(run: Any) -> None:
    run("units", "units_utf8.csv", "--commit")
    body = json.loads(run("residents", "residents_utf8_bom.csv", "--json").output)
    assert body["counts"]["accepted"] == 135
    assert not body["committed"]
    refused = [row for row in body["rows"] if row["verdict"] == "refused"]
    assert refused[0]["problems"] == [
        {
            "column": "unit",
            "value": "999",
            "code": "unit_unknown",
            "reason": "unit 999 is not in Kawasemi House",
        }
    ]


def test_refused_rows_are_written_to_a_file(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "refused.csv"
    result = run("rent-roll", "rent_roll_cp932.csv", "--language", "ja", "--refused", str(path))
    assert f"The refused rows are in {path}." in result.output
    lines = path.read_text("utf-8-sig").splitlines()
    assert lines[0].startswith("行,理由,物件名,部屋番号")
    assert len(lines) == 19


def test_the_type_of_new_units_is_told(run: Any, ours: Importing) -> None:
    run("rent-roll", "rent_roll_cp932.csv", "--type", "apartment", "--commit")
    assert {unit.type for unit in ours.all_of(Unit)} == {"apartment"}


def test_a_calendar_is_read_for_a_unit_named_by_its_building_and_room(
    run: Any, ours: Importing
) -> None:
    run("units", "units_utf8.csv", "--commit")
    where = ("--building", "kawasemi house", "--unit", "３０３号室")
    output = run("calendar", "calendars/airbnb.ics", *where, "--commit").output
    assert "Airbnb Inc: 10 new, 0 moved, 0 released, 0 unchanged, 0 problems. Written." in output
    output = run("calendar", "calendars/airbnb_next_poll.ics", *where).output
    assert "1 new, 1 moved, 1 released, 8 unchanged" in output
    assert "was 2026-12-11 to 2026-12-17" in output
    assert len(ours.all_of(ExternalBlock)) == 10


def test_days_a_channel_does_not_sell_are_left_out_on_request(
    run: Any, ours: Importing, settings: Settings
) -> None:
    run("units", "units_utf8.csv", "--commit")
    where = ("--unit", "kawasemi-house-303")
    file = "calendars/airbnb.ics"
    output = run("calendar", file, *where, "--window", "leave-out", "--commit").output
    assert "Airbnb Inc: 7 new" in output
    assert "0 new, 0 moved, 0 released" in run("calendar", file, *where, "--commit").output
    setting = ["import", "calendar-window", "hold", "--workspace", "ours", *where]
    done = run_command([*setting, "--feed", "Airbnb Inc"], ours.clock, settings)
    assert done.output == "Airbnb Inc: hold.\n"
    assert "3 new" in run("calendar", file, *where, "--commit").output
    assert len(ours.all_of(ExternalBlock)) == 10


def test_what_is_odd_in_a_calendar_is_listed(run: Any) -> None:
    run("units", "units_utf8.csv", "--commit")
    where = ("--unit", "kawasemi-house-303")
    output = run("calendar", "calendars/odd.ics", *where, "--language", "ja").output
    assert "終了日が開始日より前のため取り込みません" in output
    assert "3 problems" in output
    output = json.loads(run("calendar", "calendars/odd.ics", *where, "--json").output)
    assert [event["verdict"] for event in output["events"]].count("block") == 14


def test_what_a_file_says_cannot_steer_the_terminal(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "units.csv"
    path.write_text("building,unit,type\nA,101,\x1b[31mred\u202e\n", "utf-8")
    output = run("units", path).output
    assert "\x1b" not in output
    assert "\u202e" not in output


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "empty"), (b"PK\x03\x04", "workbook"), (b"a,b\n", "columns"), (b"\xfd", "encoding")],
)
def test_a_file_that_is_no_sheet_is_refused_in_one_line(
    run: Any, tmp_path: Path, content: bytes, why: str
) -> None:
    path = tmp_path / "units.csv"
    path.write_bytes(content)
    with pytest.raises(Refused, match=why):
        run("units", path, "--commit")


def test_an_unknown_workspace_is_refused(run: Any) -> None:
    with pytest.raises(NotFound, match="no workspace 'nobody'"):
        run("units", "units_utf8.csv", slug="nobody")


def test_a_database_that_is_not_there_is_told_in_one_line(
    clock: FixedClock, tmp_path: Path
) -> None:
    settings = Settings.from_environment({"PMS_DATA_DIR": str(tmp_path / "nowhere")})
    arguments = ["import", "units", str(SAMPLES / "units_utf8.csv"), "--workspace", "ours"]
    with pytest.raises(Refused):
        run_command(arguments, clock, settings)


def test_columns_are_told_with_their_titles(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "units.csv"
    path.write_text("Haus,Zimmer,Art,Miete\nA,101,apartment,52000\n", "utf-8")
    columns = ("building=Haus", "unit=Zimmer", "type=Art")
    options = [part for column in columns for part in ("--columns", column)]
    output = run("units", path, *options).output
    assert "1 accepted" in output
    assert "Columns not read: Miete." in output
    assert (
        "wanted: COLUMN=TITLE with one of building" in run("units", path, "--columns", "x=y").output
    )


def test_odd_lines_are_named_and_taken_when_confirmed(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "units.csv"
    path.write_text("building,unit,type,rent\nA,101,apartment,0\nA,102,apartment,0\n", "utf-8")
    assert "take them by --confirm 2 --confirm 3." in run("units", path).output
    assert "1 accepted" in run("units", path, "--confirm", "3").output
    assert "2 accepted" in run("units", path, "--confirm-all").output


def test_a_workbook_is_read_by_the_name_of_its_sheet(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "units.xlsx"
    header = row(1, "building", "unit", "type")
    path.write_bytes(workbook(Cover=row(1, "x"), Rooms=header + row(2, "A", 101, "apartment")))
    output = run("units", path, "--sheet", "Rooms").output
    assert "units, xlsx, Rooms: 1 accepted" in output
    assert "Sheets not read: Cover." in output


def test_a_file_that_is_not_there_is_a_usage_error(run: Any) -> None:
    assert run("units", Path("nowhere.csv")).exit_code == 2
