"""Rolls that are no plain table: read where they are certain, asked about where they are not."""

from datetime import date
from typing import Any

import pytest

from pms.arrivals.takeover.instructions import (
    ColumnReading,
    Direction,
    Instructions,
    SheetReading,
)
from pms.arrivals.takeover.reading import read_takeover
from pms.arrivals.takeover.taken import TakeOver
from pms.rules.roll_heads import DayOrder, Meaning
from pms.rules.roll_legends import Sign
from tests.imports.test_workbooks import row, workbook

TODAY = date(2026, 11, 20)
TITLE = "コーポ桐　入居者一覧,2026年11月20日現在,11月分まで請求済\n"


def read(text: str | bytes, instructions: Instructions | None = None) -> TakeOver:
    data = text.encode() if isinstance(text, str) else text
    return read_takeover(data, "roll", TODAY, instructions or Instructions())


def sheet_of(*rows: tuple[str | float, ...]) -> bytes:
    return workbook(S="".join(row(number, *cells) for number, cells in enumerate(rows, start=1)))


def rents(found: TakeOver) -> list[tuple[str | None, str, str, int | None]]:
    return [(let.building, let.room, let.people[0].name, let.rent) for let in found.tenancies]


def codes(found: TakeOver) -> set[str]:
    return {asked.code for asked in (*found.about_the_file, *found.about_rows)}


def test_a_record_of_two_rows_is_one_tenancy() -> None:
    found = read(
        TITLE + "号室,氏名,契約開始日,賃料\n,電話番号,契約終了日,敷金\n"
        "101,山田 一,2025/4/1,55000\n,090-0000-0001,2027/3/31,110000\n"
        "102,佐藤 二,2025/5/1,60000\n,090-0000-0002,2027/4/30,60000\n"
    )
    assert [(let.room, let.phone, let.end, let.deposit_held) for let in found.tenancies] == [
        ("101", "090-0000-0001", date(2027, 3, 31), 110_000),
        ("102", "090-0000-0002", date(2027, 4, 30), 60_000),
    ]
    assert found.about_rows == []


def test_a_record_of_three_rows_is_one_tenancy() -> None:
    found = read(
        TITLE + "号室,氏名,契約開始日,賃料\n,電話番号,契約終了日,敷金\n,メール,更新日,共益費\n"
        "101,山田 一,2025/4/1,55000\n,090-0000-0001,2027/3/31,110000\n,a@example.jp,,3000\n"
    )
    (let,) = found.tenancies
    assert (let.email, let.fees, let.deposit_held) == (
        "a@example.jp",
        {"commonFee": 3_000},
        110_000,
    )


def test_a_record_that_lacks_its_second_row_takes_nothing_of_the_next() -> None:
    found = read(
        TITLE + "号室,氏名,契約開始日,賃料\n,電話番号,契約終了日,敷金\n"
        "101,山田 一,2025/4/1,55000\n"
        "102,佐藤 二,2025/5/1,60000\n,090-0000-0002,2027/4/30,60000\n"
    )
    assert [(let.room, let.phone) for let in found.tenancies] == [
        ("101", None),
        ("102", "090-0000-0002"),
    ]


def test_two_houses_next_to_each_other_are_two_houses() -> None:
    found = read(
        sheet_of(
            ("メゾン楠", "", "", "", "", "コーポ桐", "", "", ""),
            ("号室", "氏名", "契約開始日", "賃料", "", "号室", "氏名", "契約開始日", "賃料"),
            ("101", "山田 一", "2025/4/1", 55000, "", "101", "佐藤 二", "2025/5/1", 60000),
            ("102", "鈴木 三", "2025/4/1", 56000, "", "", "", "", ""),
        )
    )
    assert sorted(rents(found), key=str) == [
        ("コーポ桐", "101", "佐藤 二", 60_000),
        ("メゾン楠", "101", "山田 一", 55_000),
        ("メゾン楠", "102", "鈴木 三", 56_000),
    ]


def test_two_tables_with_other_columns_next_to_each_other_are_not_stirred() -> None:
    found = read(
        sheet_of(
            ("号室", "氏名", "契約開始日", "賃料", "", "部屋番号", "入居者", "家賃", "契約開始日"),
            ("101", "山田 一", "2025/4/1", 55000, "", "201", "佐藤 二", 60000, "2025/5/1"),
        )
    )
    assert [let[1:] for let in rents(found)] == [
        ("101", "山田 一", 55_000),
        ("201", "佐藤 二", 60_000),
    ]


def test_a_list_of_parking_spaces_beside_the_rooms_is_a_list_of_its_own() -> None:
    found = read(
        TITLE + "号室,氏名,契約開始日,賃料,敷金,,区画,契約者,駐車料\n"
        "101,山田 一,2025/4/1,50000,0,,P1,山田 一,5000\n"
        "102,佐藤 二,2025/4/1,50000,0,,P2,外部 太郎,6000\n"
    )
    assert [(let.room, let.fees) for let in found.tenancies] == [
        ("101", {"parking": 5_000}),
        ("102", {}),
    ]
    assert [(asked.code, asked.blocks) for asked in found.about_rows] == [
        ("parking", False),
        ("parking", True),
    ]


def test_blocks_of_rooms_across_are_read_block_by_block() -> None:
    found = read(
        sheet_of(
            ("部屋", "101号", "102号"),
            ("入居者", "山田 一", "佐藤 二"),
            ("契約開始", "2025/4/1", "2025/5/1"),
            ("家賃", 55000, 60000),
            ("", "", ""),
            ("部屋", "201号", "202号"),
            ("入居者", "鈴木 三", "空"),
            ("契約開始", "2025/6/1", ""),
            ("家賃", 65000, 66000),
        )
    )
    assert [(let.at, let.room, let.rent) for let in found.tenancies] == [
        ("S!B1", "101", 55_000),
        ("S!C1", "102", 60_000),
        ("S!B6", "201", 65_000),
    ]
    assert [unit.room for unit in found.units if unit.is_vacant] == ["202"]


GRID = TITLE + "号室,氏名,契約開始日,賃料,9月,10月,11月,12月,1月\n"


def test_months_ahead_are_overpaid_and_asked_about() -> None:
    found = read(GRID + "101,山田 一,2025/4/1,50000,○,○,○,○,\n102,佐藤 二,2025/4/1,60000,○,×,×,,\n")
    assert [(let.overpaid, len(let.unpaid)) for let in found.tenancies] == [(50_000, 0), (0, 2)]
    assert [(asked.code, asked.column) for asked in found.about_rows] == [("paid_ahead", "12月")]


def test_the_months_of_a_fiscal_year_are_of_that_year() -> None:
    heads = ",".join(f"{month}月" for month in (*range(4, 13), 1, 2, 3))
    found = read(
        f"もみじ荘 2026年度 入金表\n号室,氏名,契約開始日,賃料,{heads}\n"
        "101,山田 一,2025/4/1,50000,○,○,○,○,○,○,○,×,,,,\n"
    )
    assert found.billed_through == date(2026, 11, 30)
    assert [debt.what for debt in found.tenancies[0].unpaid] == ["rent 2026-11"]


@pytest.mark.parametrize(
    ("mark", "open_yen", "is_asked"),
    [("△5,000", 5_000, True), ("免", 0, False), ("×", 50_000, False), ("○", 0, False)],
)
def test_marks_are_read_by_the_legend_of_the_sheet(
    mark: str, open_yen: int, is_asked: bool
) -> None:
    found = read(
        TITLE + f'号室,氏名,契約開始日,賃料,10月,11月\n101,山田 一,2025/4/1,50000,"{mark}",○\n\n'
        "○入金済　×未入金　△不足額　免=免除\n"
    )
    assert sum(debt.yen for debt in found.tenancies[0].unpaid) == open_yen
    assert bool(found.about_rows) is is_asked


def test_a_mark_that_no_legend_explains_blocks() -> None:
    found = read(TITLE + "号室,氏名,契約開始日,賃料,10月,11月\n101,山田 一,2025/4/1,50000,◆,○\n")
    assert [(asked.column, asked.blocks) for asked in found.about_rows] == [("10月", True)]


BALANCE = "号室,氏名,契約開始日,賃料,残高,敷金\n101,山田 一,2025/4/1,50000,{},0\n"


@pytest.mark.parametrize(
    ("legend", "cell", "owed", "ahead"),
    [
        ("※残高：▲＝未収　無印＝前受", "▲50000", 50_000, 0),
        ("※残高：▲＝未収　無印＝前受", "50000", 0, 50_000),
        ("※残高 マイナスは前受金", "-50000", 0, 50_000),
        ("Balance: + owes / - credit", "(50000)", 0, 50_000),
    ],
)
def test_a_legend_says_which_way_a_balance_goes_and_is_shown_once(
    legend: str, cell: str, owed: int, ahead: int
) -> None:
    found = read(TITLE + legend + "\n" + BALANCE.format(cell))
    (let,) = found.tenancies
    assert (sum(debt.yen for debt in let.unpaid), let.overpaid) == (owed, ahead)
    (question,) = found.about_the_file
    assert (question.code, question.column, question.value) == ("legend", "残高", legend)
    column = next(column for column in found.previews[0].columns if column.title == "残高")
    assert column.legend == legend


def test_a_balance_without_a_legend_asks_which_way_it_goes_and_blocks() -> None:
    found = read(TITLE + BALANCE.format("50000"))
    (question,) = found.about_the_file
    assert (question.code, question.blocks, question.column_place) == ("balance_direction", True, 4)


@pytest.mark.parametrize(
    ("sign", "owed", "ahead"), [(Sign.OWED, 50_000, 0), (Sign.AHEAD, 0, 50_000)]
)
def test_a_person_says_which_way_a_balance_goes(sign: Sign, owed: int, ahead: int) -> None:
    columns = {4: ColumnReading(sign=sign)}
    said = Instructions(sheets={"roll/": SheetReading(columns=columns)})
    found = read(TITLE + BALANCE.format("50000"), said)
    (let,) = found.tenancies
    assert (sum(debt.yen for debt in let.unpaid), let.overpaid) == (owed, ahead)
    assert "balance_direction" not in codes(found)


ODD = "ぶや,だれ,いくら,はじめ\n101,山田 一,55,45748\n102,佐藤 二,60,45778\n"


def test_an_unknown_head_still_shows_its_columns_and_first_rows() -> None:
    found = read(ODD)
    assert (found.units, found.tenancies) == ([], [])
    assert "nothing_read" in codes(found)
    (preview,) = found.previews
    assert (preview.is_read, preview.why) == (False, "no_head")
    assert preview.rows[0][:2] == (1, ("ぶや", "だれ", "いくら", "はじめ"))
    assert [column.letters for column in preview.columns] == ["A", "B", "C", "D"]


def test_a_person_says_which_row_is_the_head_and_what_its_columns_mean() -> None:
    columns = {
        0: ColumnReading(Meaning.ROOM),
        1: ColumnReading(Meaning.NAME),
        2: ColumnReading(Meaning.RENT, unit=1_000),
        3: ColumnReading(Meaning.START, days=DayOrder.SERIAL_1900),
    }
    said = Instructions(sheets={"roll/": SheetReading(header_row=1, columns=columns)})
    found = read(ODD, said)
    assert [(let.room, let.rent, let.start) for let in found.tenancies] == [
        ("101", 55_000, date(2025, 4, 1)),
        ("102", 60_000, date(2025, 5, 1)),
    ]
    assert "serial_day" not in codes(found)


@pytest.mark.parametrize("header", [2, 3])
def test_either_line_of_a_head_of_two_lines_may_be_chosen(header: int) -> None:
    data = sheet_of(
        ("もみじ荘", "", "", "", ""),
        ("室", "氏名", "契約", "", "家賃"),
        ("", "", "開始", "終了", ""),
        ("101", "山田 一", "2025/4/1", "2027/3/31", 50000),
    )
    said = Instructions(sheets={"roll/S": SheetReading(header_row=header)})
    (let,) = read(data, said).tenancies
    assert (let.room, let.end, let.rent) == ("101", date(2027, 3, 31), 50_000)


def test_a_month_that_no_heading_names_is_asked_about() -> None:
    text = TITLE + "号室,氏名,契約開始日,賃料,敷金,入った\n101,山田 一,2025/4/1,50000,0,○\n"
    said = Instructions(sheets={"roll/": SheetReading(columns={5: ColumnReading(Meaning.MONTH)})})
    assert ("month_unknown", True) in {
        (asked.code, asked.blocks) for asked in read(text, said).about_the_file
    }


def test_a_column_that_is_not_needed_is_not_asked_about() -> None:
    text = TITLE + "号室,氏名,契約開始日,賃料,謎\n101,山田 一,2025/4/1,50000,7000\n"
    assert "unknown_column" in codes(read(text))
    columns = {4: ColumnReading(Meaning.PASSED_OVER)}
    said = Instructions(sheets={"roll/": SheetReading(columns=columns)})
    assert "unknown_column" not in codes(read(text, said))


def test_a_block_and_its_direction_are_followed_exactly() -> None:
    data = sheet_of(
        ("めも", "x", "y"),
        ("ぶや", "101号", "102号"),
        ("だれ", "山田 一", "佐藤 二"),
        ("いくら", 55000, 60000),
        ("号室", "氏名", "賃料"),
    )
    columns = {
        1: ColumnReading(Meaning.ROOM),
        2: ColumnReading(Meaning.NAME),
        3: ColumnReading(Meaning.RENT),
    }
    reading = SheetReading(
        blocks=("A2:C4",), direction=Direction.ACROSS, header_row=1, columns=columns
    )
    found = read(data, Instructions(sheets={"roll/S": reading}))
    assert [let[1:] for let in rents(found)] == [
        ("101", "山田 一", 55_000),
        ("102", "佐藤 二", 60_000),
    ]


def test_a_sheet_that_is_not_wanted_is_left_out_and_named() -> None:
    table = row(1, "号室", "氏名", "契約開始日", "賃料") + row(
        2, "101", "山田 一", "2025/4/1", 55000
    )
    data = workbook(A=table, B=table.replace("101", "201"))
    said = Instructions(sheets={"roll/B": SheetReading(is_read=False)})
    assert [let.room for let in read(data, said).tenancies] == ["101"]
    assert [sheet["role"] for sheet in read(data, said).sheets] == [
        "roll",
        "sheet that was not chosen",
    ]


def test_a_rent_that_was_typed_stands_for_the_cell_and_what_is_worked_out_from_it() -> None:
    text = TITLE + "号室,氏名,契約開始日,賃料,敷金\n101,山田 一,2025/4/1,50000,2ヶ月\n"
    (at,) = [let.at for let in read(text).tenancies]
    found = read(text, Instructions(typed={at: {Meaning.RENT: 60_000}}))
    (let,) = found.tenancies
    assert (let.rent, let.deposit_held) == (60_000, 120_000)


def test_instructions_are_the_same_when_they_are_stored_and_read_back() -> None:
    column = ColumnReading(Meaning.BALANCE, 1_000, Sign.AHEAD, DayOrder.DAY_FIRST)
    reading = SheetReading(True, 3, ("A3:H20",), Direction.ACROSS, "コーポ桐", {4: column})
    assert SheetReading.from_shape(reading.shape()) == reading
    assert SheetReading.from_shape({}) == SheetReading()


@pytest.mark.parametrize(
    "facts",
    [
        {"direction": "sideways"},
        {"blocks": ["3:4"]},
        {"columns": {"1": {"meaning": "colour"}}},
        {"columns": {"1": {"sign": "x"}}},
    ],
)
def test_a_word_that_is_none_is_refused(facts: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".*"):
        SheetReading.from_shape(facts)
