"""Sheets as they come: encodings, quotes, headers, what is passed over, what is refused whole."""

import csv
import io
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.arrivals.sheets import rent_roll_rows, unit_rows
from pms.arrivals.sheets.columns import fold_name
from pms.arrivals.sheets.reading import Limits, Sheet, read_sheet
from pms.sheets.refusals import SheetRefused
from pms.sheets.tables import open_tables
from pms.sheets.text_records import read_records
from pms.sheets.texts import MOST_BYTES, decode
from tests.imports.samples import sample

HEADER = "building,unit,type\n"


def units(text: str, encoding: str = "utf-8", **limits: Any) -> Sheet:
    return read_sheet(open_tables(text.encode(encoding)), unit_rows.UNIT_COLUMNS, Limits(**limits))


def why(data: bytes, columns: Any = unit_rows.UNIT_COLUMNS, **limits: Any) -> str:
    with pytest.raises(SheetRefused) as refusal:
        read_sheet(open_tables(data), columns, Limits(**limits))
    assert refusal.value.reason.say("ja")
    return refusal.value.reason.code


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
def test_a_sheet_is_read_in_the_encodings_of_japanese_offices(encoding: str) -> None:
    text = "物件名,部屋番号,種別\r\nカワセミ荘①～髙﨑,101,シェアハウス\r\n"
    sheet = units(text, encoding)
    assert sheet.encoding == encoding.removesuffix("-sig")
    assert unit_rows.read_unit_rows(sheet.rows)[2].building == "カワセミ荘①～髙﨑"


def test_a_sheet_of_half_width_kana_is_read() -> None:
    text = "物件名,部屋番号,種別\r\n" + "ｶﾜｾﾐｿｳ ｱｲｳｴｵ,101,ｼｪｱﾊｳｽ\r\n" * 1
    assert units(text, "cp932").encoding == "cp932"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty_file"),
        (b"\xef\xbb\xbf \r\n", "empty_file"),
        (b"PK\x03\x04 a workbook", "workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 an old workbook", "workbook"),
        (HEADER.encode() + b"A\x00,101,apartment\n", "nul_byte"),
        (HEADER.encode() + b"A\xed\xa0\x80,101,apartment\n", "broken_utf8"),
        (HEADER.encode() + "カワセミ荘,1\n".encode() + b"\xff\n", "broken_utf8"),
        (HEADER.encode() + b"\xfd\xfe,101,apartment\n", "unknown_encoding"),
        (b"\xff\xfeb\x00\x00", "unknown_encoding"),
        (b"name,rent\nA,1\n", "columns_missing"),
        (b"building,type\nA,apartment\n", "columns_missing"),
        (b"no header at all\n", "columns_missing"),
        (b"building,Building,unit,type\n", "column_twice"),
        (HEADER.encode() + b'"A,101,apartment\n', "quote_never_closed"),
        (HEADER.encode() + b'"' + b"A" * 200_000, "quote_never_closed"),
    ],
)
def test_what_is_no_sheet_is_refused_with_one_clear_reason(data: bytes, code: str) -> None:
    assert why(data) == code


def test_a_sheet_that_is_too_large_or_too_long_is_refused() -> None:
    rows = HEADER + "A,1,apartment\n" * 11
    assert why(b"a" * (MOST_BYTES + 1)) == "file_too_large"
    assert why(rows.encode(), most_rows=10) == "too_many_rows"
    assert len(units(rows, most_rows=11).rows) == 11


def test_rows_are_counted_without_what_is_above_them_and_named_with_the_limit() -> None:
    titled = "A list\n\n" + HEADER + "A,1,apartment\n\n" * 11
    assert len(units(titled, most_rows=11).rows) == 11
    with pytest.raises(SheetRefused, match="has 11 rows, without its headings; at most 10"):
        units(titled, most_rows=10)


def test_the_missing_columns_are_named_in_both_languages() -> None:
    with pytest.raises(SheetRefused, match="type"):
        units("building,unit\nA,101\n")
    with pytest.raises(SheetRefused, match="種別"):
        units("building,unit\nA,101\n")


def test_physical_lines_are_counted_through_line_breaks_inside_cells() -> None:
    records = list(read_records('a,"x\r\ny\nz"\r\nb,c\r\n\r\nd,e', ","))
    assert [(record.number, record.line) for record in records] == [(1, 1), (2, 4), (3, 5), (4, 6)]


def test_broken_quotes_cost_their_row_alone() -> None:
    sheet = units(HEADER + 'A,"1"x,apartment\nA,102,apartment\n')
    taken = unit_rows.read_unit_rows(sheet.rows)
    assert [row.line for row in sheet.rows if row.problems] == [2]
    assert list(taken) == [3]


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_the_separator_is_found(delimiter: str) -> None:
    text = (HEADER + 'A,"1,5;x",apartment\n').replace('"1,5;x"', '"1 x"')
    assert len(units(text.replace(",", delimiter)).rows) == 1


def test_the_separator_is_found_below_a_title() -> None:
    text = "空室一覧\n\n" + (HEADER + "A,101,apartment\n").replace(",", "\t")
    assert len(units(text).rows) == 1


def test_a_title_above_the_header_is_passed_over() -> None:
    sheet = units("空室一覧 2026年11月,,\n\n" + HEADER + "A,101,apartment\n")
    assert [one.code for one in sheet.passed_over] == ["above_header", "blank_line", "header"]
    assert len(sheet.rows) == 1


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("面積(㎡)", "面積"),
        ("面積（㎡）", "面積"),
        ("Base Rent", "baserent"),
        ("base_rent", "baserent"),
        (" 物件名 ", "物件名"),
        ("ﾌﾘｶﾞﾅ", "フリガナ"),
    ],
)
def test_a_column_is_known_whatever_its_width_case_and_unit(written: str, meant: str) -> None:
    assert fold_name(written) == fold_name(meant)


def rent_roll(*rows: str) -> Sheet:
    header = "物件名,部屋番号,入居者名,契約開始日,賃料\n"
    return read_sheet(
        open_tables((header + "\n".join(rows)).encode("cp932")), rent_roll_rows.COLUMNS, Limits()
    )


def test_a_building_counts_until_its_block_ends() -> None:
    sheet = rent_roll("カワセミ荘,101,空室,,", ",102,空室,,", "カワセミ荘 小計,,,,", ",103,空室,,")
    taken = rent_roll_rows.read_rent_roll_rows(sheet.rows)
    assert [row.building for row in taken.values()] == ["カワセミ荘", "カワセミ荘"]
    assert sheet.rows[1].notes[0].reason.code == "building_from_above"
    assert sheet.rows[2].problems[0].reason.code == "building_missing"


def test_totals_notes_and_blank_lines_are_passed_over_and_nothing_else() -> None:
    sheet = rent_roll(
        "カワセミ荘,101,空室,,",
        "小計,,1/1室,,44000",
        "　",
        ",,,,",
        "総合計,,,,44000",
        "※ 11月1日現在,,,,",
        "カワセミ荘,,,,",
        "合計荘,101,空室,,",
    )
    assert [one.code for one in sheet.passed_over[1:]] == [
        "subtotal",
        "blank_line",
        "blank_line",
        "total",
        "note_row",
    ]
    assert [row.line for row in sheet.rows] == [2, 8, 9]
    taken = rent_roll_rows.read_rent_roll_rows(sheet.rows)
    assert [taken[line].building for line in taken] == ["カワセミ荘", "合計荘"]


CELL = st.text(
    st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufeff"), max_size=12
)


@given(st.lists(st.lists(CELL, min_size=3, max_size=3), max_size=6))
def test_a_written_sheet_is_read_with_the_same_cells(rows: list[list[str]]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([["building", "unit", "type"], *rows])
    records = list(read_records(text.getvalue(), ","))[1:]
    assert [list(record.cells) for record in records] == rows


@given(st.binary(max_size=300))
def test_bytes_of_any_kind_are_read_or_refused(data: bytes) -> None:
    with suppress(SheetRefused):
        decode(data)
    with suppress(SheetRefused):
        sheet = read_sheet(open_tables(HEADER.encode() + data), unit_rows.UNIT_COLUMNS, Limits())
        unit_rows.read_unit_rows(sheet.rows)


@given(st.data())
def test_a_sample_with_bytes_changed_is_read_or_refused(data: st.DataObject) -> None:
    whole = bytearray(sample("rent_roll_cp932.csv")[:3000])
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with suppress(SheetRefused):
        sheet = read_sheet(open_tables(bytes(whole)), rent_roll_rows.COLUMNS, Limits())
        rent_roll_rows.read_rent_roll_rows(sheet.rows)


def test_a_title_told_by_hand_is_the_column_and_no_other_title_is() -> None:
    data = "Haus,unit,building,type\nカワセミ荘,101,別の名前,シェアハウス\n".encode()
    limits = Limits(titles={"building": "Haus"})
    sheet = read_sheet(open_tables(data), unit_rows.UNIT_COLUMNS, limits)
    assert sheet.rows[0].cell("building") == "カワセミ荘"
    assert "building" in sheet.header.unread


def test_a_column_told_to_be_missing_is_not_read() -> None:
    data = "building,unit,type,layout\nカワセミ荘,101,シェアハウス,1K\n".encode()
    sheet = read_sheet(open_tables(data), unit_rows.UNIT_COLUMNS, Limits(titles={"layout": ""}))
    assert "layout" not in sheet.header.places
