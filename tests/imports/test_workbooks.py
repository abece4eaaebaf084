"""Workbooks, tables and sheets of several columns as they come out of a spreadsheet program."""

import io
import json
import zipfile
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.arrivals.sheets import rent_roll_rows, unit_rows
from pms.arrivals.sheets.reading import Limits, read_sheet
from pms.sheets.refusals import SheetRefused
from pms.sheets.tables import Table, open_tables
from tests.imports.samples import SAMPLES, sample

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def workbook(columns: str = "", **sheets: str) -> bytes:
    """A workbook with these sheets, each the XML of its rows; `columns` is said of each."""
    names = list(sheets)
    numbered = [(number, name) for number, name in enumerate(names, start=1)]
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1"'
        f' Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        + "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in numbered)
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="r{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
            for n, _ in numbered
        )
        + "</Relationships>",
    }
    for number, name in numbered:
        rows = (
            f'<worksheet xmlns="{_MAIN}">{columns}<sheetData>{sheets[name]}</sheetData></worksheet>'
        )
        parts[f"xl/worksheets/sheet{number}.xml"] = rows
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        for path, text in parts.items():
            file.writestr(path, text)
    return content.getvalue()


def row(number: int, *cells: str | float) -> str:
    """A row of texts and numbers from column A on."""
    return f'<row r="{number}">{"".join(_cell(number, *one) for one in enumerate(cells))}</row>'


def _cell(number: int, column: int, value: str | float) -> str:
    place = f"{chr(ord('A') + column)}{number}"
    if isinstance(value, str) and value.startswith("<"):
        return value.replace("<c", f'<c r="{place}"', 1)
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def cells(data: bytes, name: str = "S") -> list[tuple[str, ...]]:
    table = next(table for table in open_tables(data) if table.name == name)
    return [record.cells for record in table.records()]


HEADER = row(1, "building", "unit", "type", "base_rent", "size_sqm")


def test_cells_are_the_text_a_person_would_have_typed() -> None:
    found = cells(workbook(S=row(2, 101.0, 45.940000000000005, "カワセミ荘", 9000128831)))
    assert found == [("", "", "", ""), ("101", "45.94", "カワセミ荘", "9000128831")]


def test_an_error_and_a_formula_without_a_value_are_not_blank() -> None:
    found = cells(workbook(S=row(1, "x", '<c t="e"><v>#N/A</v></c>', "<c><f>SUM(A1)</f></c>")))
    assert found == [("x", "#N/A", "=SUM(A1)")]


def test_a_spreadsheet_error_in_a_rent_refuses_its_row() -> None:
    rows = HEADER + row(2, "A", 101, "apartment", '<c t="e"><v>#REF!</v></c>')
    sheet = read_sheet(open_tables(workbook(S=rows)), unit_rows.UNIT_COLUMNS, Limits())
    unit_rows.read_unit_rows(sheet.rows)
    assert sheet.rows[0].problems[0].reason.code == "spreadsheet_error"


def test_the_sheet_whose_columns_are_known_is_read_and_the_others_are_named() -> None:
    book = workbook(Cover=row(1, "Rent roll"), Rooms=HEADER + row(2, "A", 101, "apartment", 52000))
    sheet = read_sheet(open_tables(book), unit_rows.UNIT_COLUMNS, Limits())
    assert (sheet.name, sheet.others, sheet.encoding) == ("Rooms", ("Cover",), "xlsx")
    assert unit_rows.read_unit_rows(sheet.rows)[2].rent_yen == 52_000


def test_a_sheet_is_read_by_its_name_and_a_name_of_none_is_refused() -> None:
    first = HEADER + row(2, "A", 101, "apartment", 52000)
    book = workbook(One=first, Two=first.replace("52000", "61000"))
    chosen = read_sheet(open_tables(book), unit_rows.UNIT_COLUMNS, Limits(table="Two"))
    assert unit_rows.read_unit_rows(chosen.rows)[2].rent_yen == 61_000
    with pytest.raises(SheetRefused, match="One, Two"):
        read_sheet(open_tables(book), unit_rows.UNIT_COLUMNS, Limits(table="Three"))


@pytest.mark.parametrize(
    "rows",
    [
        row(1, "x") + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        row(1, "x") + '<row r="1048576"><c><v>1</v></c><c r="ZZ1"><v>1</v></c></row>',
    ],
)
def test_a_cell_in_the_last_corner_is_refused_before_it_takes_the_memory(rows: str) -> None:
    with pytest.raises(SheetRefused) as refusal:
        open_tables(workbook(S=rows))
    assert refusal.value.reason.code == "workbook_reaches_far"


def test_a_workbook_that_unpacks_to_too_much_is_refused() -> None:
    content = io.BytesIO(workbook(S=HEADER))
    with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/media/picture", b"\0" * (101 * 1024 * 1024))
    with pytest.raises(SheetRefused) as refusal:
        open_tables(content.getvalue())
    assert refusal.value.reason.code == "workbook_too_large"


@given(st.data())
def test_a_workbook_with_bytes_changed_is_read_or_refused(data: st.DataObject) -> None:
    whole = bytearray(workbook(S=HEADER + row(2, "A", 101, "apartment", 52000)))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with suppress(SheetRefused):
        read_sheet(open_tables(bytes(whole)), unit_rows.UNIT_COLUMNS, Limits())


ROLLS = ["heights_aoba.xlsx", "serials_and_notes.xlsx", "share_house_monthly.xlsx"]
ROLLS += ["three_buildings.xlsx", "rentroll_titles_cp932.csv", "three_rooms.tsv"]


@pytest.mark.parametrize("name", ROLLS)
def test_every_room_of_a_roll_is_found_where_a_person_sees_it(name: str) -> None:
    body = json.loads(
        (SAMPLES / f"takeover/{name.split('.', maxsplit=1)[0]}.expected.json").read_text("utf-8")
    )
    tables = {table.name: _rows(table) for table in open_tables(sample(f"takeover/{name}"))}
    for one in body["units"]:
        sheet, line = _place(one["at"])
        rooms = {cell.removesuffix("号室").removesuffix("室") for cell in tables[sheet][line]}
        assert one["room"] in rooms | {_narrow(room) for room in rooms}, one


def _rows(table: Table) -> dict[int, tuple[str, ...]]:
    return {record.line: record.cells for record in table.records()}


def _place(at: str) -> tuple[str, int]:
    sheet, sign, number = at.rpartition("!")
    return (sheet, int(number)) if sign else ("", int(at.rsplit(maxsplit=1)[-1]))


def _narrow(room: str) -> str:
    return "".join(chr(ord(one) - 0xFEE0) if "！" <= one <= "～" else one for one in room)


def rolled(text: str, **limits: Any) -> Any:
    return read_sheet(open_tables(text.encode()), rent_roll_rows.COLUMNS, Limits(**limits))


def taken(text: str, **limits: Any) -> Any:
    return rent_roll_rows.read_rent_roll_rows(rolled(text, **limits).rows)[2].tenancy


@pytest.mark.parametrize(
    ("term", "start", "end"),
    [
        ("R6.4.1～R8.3.31", "2024-04-01", "2026-03-31"),
        ("2025/11/16〜2026/11/15", "2025-11-16", "2026-11-15"),
        ("2025-04-01 - 2026-03-31", "2025-04-01", "2026-03-31"),
        ("2025/4/1-2026/3/31", "2025-04-01", "2026-03-31"),
        ("2025年4月1日から2026年3月31日まで", "2025-04-01", "2026-03-31"),
        ("自 2025/4/1 至 2026/3/31", "2025-04-01", "2026-03-31"),
        ("from 2025-04-01 to 2026-03-31", "2025-04-01", "2026-03-31"),
        ("H30.5.1～", "2018-05-01", "None"),
    ],
)
def test_a_period_in_one_column_is_read(term: str, start: str, end: str) -> None:
    tenancy = taken(f"物件名,部屋番号,入居者名,契約期間,賃料\nA,101,佐藤,{term},52000\n")
    assert (str(tenancy.start_on), str(tenancy.end_on)) == (start, end)


@pytest.mark.parametrize(
    ("term", "code"),
    [("2年間", "not_a_term"), ("2025/4/1～2年", "not_a_date"), ("", "missing_date")],
)
def test_a_period_that_is_none_is_refused(term: str, code: str) -> None:
    sheet = rolled(f"物件名,部屋番号,状態,入居者名,契約期間,賃料\nA,101,入居中,佐藤,{term},52000\n")
    rent_roll_rows.read_rent_roll_rows(sheet.rows)
    assert [one.reason.code for one in sheet.rows[0].problems] == [code]


def test_a_name_in_two_columns_is_read_whole() -> None:
    head = "物件名,部屋番号,{},契約開始日,賃料\n"
    rest = "2025/4/1,52000\n"
    japanese = taken(head.format("姓,名,セイ,メイ") + "A,101,佐藤,陽向,サトウ,ヒナタ," + rest)
    assert (japanese.name, japanese.kana) == ("佐藤 陽向", "サトウ ヒナタ")
    english = taken(head.format("First name,Last name") + "A,101,Hanako,Sato," + rest)
    assert english.name == "Hanako Sato"


def test_naming_the_last_name_as_the_name_drops_no_first_name_in_silence() -> None:
    text = (
        "物件名,部屋番号,Last name,First name,契約開始日,賃料\nA,101,Sato,Hanako,2025/4/1,52000\n"
    )
    assert taken(text, titles={"name": "Last name"}).name == "Sato Hanako"
    remarks = rolled(text, titles={"name": "Last name", "given_name": ""}).header.remarks
    assert [one.code for one in remarks] == ["half_a_name"]
    assert (
        "First name" in rolled(text, titles={"name": "Last name", "given_name": ""}).header.unread
    )


def test_decimal_commas_are_read_beside_semicolons() -> None:
    head = "building;unit;type;size_sqm;base_rent\n"
    text = head + "A;101;apartment;45,94;52000\nA;102;apartment;9,5;52000\n"
    sheet = read_sheet(open_tables(text.encode()), unit_rows.UNIT_COLUMNS, Limits())
    found = unit_rows.read_unit_rows(sheet.rows)
    assert [one.size_centi_sqm for one in found.values()] == [4594, 950]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"building,unit\nA,1\nB,2\nC\xfd\xfe,3\n", 4),
        ("building,unit\nA,1\n".encode("utf-16") + b"\x00\xd8", 3),
        (b"building,unit\nA," + b"\x80\n", 2),
    ],
)
def test_bytes_that_are_no_text_are_refused_by_their_line(data: bytes, line: int) -> None:
    with pytest.raises(SheetRefused) as refusal:
        open_tables(data)
    assert refusal.value.reason.facts == {"line": line}
