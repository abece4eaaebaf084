"""Rent rolls as offices keep them are read to the yen, and what they leave open is asked."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pms.arrivals.takeover.instructions import ColumnReading, Instructions
from pms.arrivals.takeover.reading import read_takeover
from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from pms.rules.roll_heads import Meaning
from tests.commands import run_command
from tests.imports.test_workbooks import row, workbook

SAMPLES = Path(__file__).parents[1] / "samples" / "takeover"
TODAY = date(2026, 11, 20)


def read(data: bytes | str, name: str = "roll.csv", on: date = TODAY) -> dict[str, Any]:
    """What a file says, as a program gets it."""
    found = read_takeover(data.encode() if isinstance(data, str) else data, name, on)
    body: dict[str, Any] = json.loads(msgspec.json.encode(found.shape()))
    return body


def test_the_command_needs_no_workspace_and_prints_what_was_read(
    clock: FixedClock, settings: Settings
) -> None:
    path = SAMPLES / "three_rooms.tsv"
    ran = run_command(["takeover", "check", str(path), "--json"], clock, settings)
    assert ran.exit_code == 0
    assert json.loads(ran.output)["totals"]["rent"] == 113_000
    shown = run_command(["takeover", "check", str(path)], clock, settings)
    assert "菊池 桃" in shown.output
    assert "A deposit is held. How much is it?" in shown.output


HEAD = "号室,氏名,契約開始,契約終了,賃料,共益費,敷金,滞納額,備考\n"
TITLE = "コーポ桐　入居者一覧,2026年11月20日現在,11月分まで請求済\n"


def rolled(*lines: str, head: str = HEAD, title: str = TITLE) -> dict[str, Any]:
    return read(title + head + "\n".join(lines) + "\n")


def only(found: dict[str, Any]) -> dict[str, Any]:
    (tenancy,) = found["tenancies"]
    result: dict[str, Any] = tenancy
    return result


def asked(found: dict[str, Any]) -> list[tuple[str, str, bool]]:
    return [(one["column"], one["why"], one["blocks"]) for one in found["askAboutRows"]]


@pytest.mark.parametrize(
    ("cell", "yen"),
    [
        ("55000", 55_000),
        ("５５，０００", 55_000),
        ('"¥55,000"', 55_000),
        ('"\\55,000"', 55_000),
        ('"55,000円"', 55_000),
        ("5.5万", 55_000),
        ("5万5千円", 55_000),
        ("55千円", 55_000),
        ('"55,000 円/月"', 55_000),
        ('"55,000円（税込）"', 55_000),
    ],
)
def test_a_rent_is_read_however_it_is_written(cell: str, yen: int) -> None:
    found = rolled(f"101,山田 一,2025/4/1,2027/3/31,{cell},2000,55000,,")
    assert only(found)["rent"] == yen


@pytest.mark.parametrize("cell", ["55000.5", "9,5000", "#REF!", "応相談"])
def test_a_rent_that_is_no_amount_blocks_its_row(cell: str) -> None:
    found = rolled(f'101,山田 一,2025/4/1,2027/3/31,"{cell}",2000,55000,,')
    assert {one[2] for one in asked(found)} == {True}


@pytest.mark.parametrize(
    "cell",
    [
        "45748",
        "2025-04-01",
        "2025/4/1",
        "R7.4.1",
        "令和7年4月1日",
        "R7/4/1",
        "２０２５年４月１日",
        "平成37年4月1日",
        "Apr 1, 2025",
        "1 April 2025",
    ],
)
def test_a_day_is_read_however_it_is_written(cell: str) -> None:
    assert only(rolled(f'101,山田 一,"{cell}",2027/3/31,55000,2000,0,,'))["start"] == "2025-04-01"


def test_a_two_digit_year_is_read_year_first_and_asked_about() -> None:
    found = rolled("101,山田 一,25/4/1,2027/3/31,55000,2000,0,,")
    assert only(found)["start"] == "2025-04-01"
    assert asked(found) == [("契約開始", "The year has two digits. Is it 2025-04-01?", False)]


def test_a_two_digit_year_that_may_be_of_an_era_blocks_its_row() -> None:
    found = rolled("101,山田 一,07/4/1,2027/3/31,55000,2000,0,,")
    assert asked(found) == [("契約開始", "This is not a date", True)]


@pytest.mark.parametrize(
    ("cell", "yen"),
    [
        ("1ヶ月", 55_000),
        ("2か月分", 110_000),
        ("1.5ヶ月", 82_500),
        ("敷1 礼1", 55_000),
        ("敷0/礼0", 0),
        ("なし", 0),
        ("－", 0),
        ("2", 110_000),
        ("敷金2ヶ月", 110_000),
        ("半月分", 27_500),
    ],
)
def test_a_deposit_in_months_is_worked_out_from_the_rent(cell: str, yen: int) -> None:
    assert only(rolled(f"101,山田 一,2025/4/1,2027/3/31,55000,2000,{cell},,"))["depositHeld"] == yen


def test_a_deposit_without_an_amount_is_asked_for() -> None:
    found = rolled("101,山田 一,2025/4/1,2027/3/31,55000,2000,あり,,")
    assert only(found)["deposit"] is None
    assert asked(found) == [("敷金", "A deposit is held. How much is it?", True)]


@pytest.mark.parametrize(
    ("cell", "remark", "debts"),
    [
        ("57000", "", {"rent 2026-11": 57_000}),
        ("114000", "", {"rent 2026-10": 57_000, "rent 2026-11": 57_000}),
        ("2ヶ月", "", {"rent 2026-10": 57_000, "rent 2026-11": 57_000}),
        ("9・10月分", "", {"rent 2026-09": 57_000, "rent 2026-10": 57_000}),
        ("67000", "10月一部・11月未納", {"rent 2026-10": 10_000, "rent 2026-11": 57_000}),
        ("77000", "10月分残20000円、11月分未納", {"rent 2026-10": 20_000, "rent 2026-11": 57_000}),
        ("10000", "", {"open, months not told": 10_000}),
        ("", "10月分未納", {"rent 2026-10": 57_000}),
        ("0", "", {}),
    ],
)
def test_a_debt_is_laid_on_its_months(cell: str, remark: str, debts: dict[str, int]) -> None:
    found = rolled(f"101,山田 一,2025/4/1,2027/3/31,55000,2000,0,{cell},{remark}")
    assert {one["for"]: one["amount"] for one in only(found)["unpaid"]} == debts
    assert len(found["askAboutRows"]) == bool(debts)


def test_months_and_sum_of_a_debt_may_stand_in_two_columns() -> None:
    head = "号室,氏名,入居日,賃料,敷金,滞納月数,滞納金額,備考\n"
    found = rolled(
        "101,山田 一,2025/4/1,50000,0,2,100000,9月～10月",
        "102,佐藤 二,2025/4/1,50000,0,2,100000,",
        "103,鈴木 三,2025/4/1,50000,0,0,0,",
        head=head,
    )
    debts = [[debt["for"] for debt in one["unpaid"]] for one in found["tenancies"]]
    assert debts == [["rent 2026-09", "rent 2026-10"], ["rent 2026-10", "rent 2026-11"], []]


def test_a_list_in_plain_kana_is_read() -> None:
    head = "へや,なまえ,やちん,しききん,いつから,びこう\n"
    found = rolled("1,さとう,4万円,4万円,2023/5/1,先月分まだ", head=head)
    assert (only(found)["rent"], only(found)["depositHeld"]) == (40_000, 40_000)
    assert [debt["for"] for debt in only(found)["unpaid"]] == ["rent 2026-10"]


def test_a_negative_debt_is_an_overpayment() -> None:
    for cell in ("▲7000", "△7000", "-7000", "(7000)"):
        found = only(rolled(f"101,山田 一,2025/4/1,2027/3/31,55000,2000,0,{cell},"))
        assert (found["unpaid"], found["overpaid"]) == ([], 7_000)


def test_rent_falls_due_on_the_day_the_sheet_says() -> None:
    title = TITLE + "※賃料は当月5日払い\n"
    found = only(rolled("101,山田 一,2025/4/1,2027/3/31,55000,2000,0,57000,", title=title))
    assert found["unpaid"][0]["dueOn"] == "2026-11-05"


def test_houses_stand_above_their_rooms_and_totals_are_no_rooms() -> None:
    found = rolled(
        "【第一コーポ】",
        "101,山田 一,2025/4/1,,55000,2000,0,,",
        "102,空室,,,56000,2000,,,募集中",
        "小計,,,,111000,4000,,,",
        "【第二コーポ】",
        "101,佐藤 二,2025/4/1,,45000,2000,0,,",
        "合計,2室,,,100000,4000,,,",
        "※敷金は預り金",
        title="",
    )
    assert [(one["building"], one["room"], one["vacant"]) for one in found["units"]] == [
        ("第一コーポ", "101", False),
        ("第一コーポ", "102", True),
        ("第二コーポ", "101", False),
    ]
    assert found["totals"]["rent"] == 100_000


def test_a_total_that_the_rows_do_not_come_to_is_asked_about() -> None:
    line = "101,山田 一,2025/4/1,,55000,2000,30000,,"
    found = rolled(line, "合計,1室,,,55000,2000,30000,,")
    sums = {"rent": 55_000, "depositHeld": 30_000}
    assert (found["askAboutTheFile"], found["shownTotals"]) == ([], sums)
    (question,) = rolled(line, "合計,2室,,,155000,2000,30000,,")["askAboutTheFile"]
    assert "155,000" in question["why"]


def test_a_head_that_is_repeated_under_each_house_is_read_again() -> None:
    found = read(
        "コーポ桐\n部屋,入居者,家賃,敷金\n1,山田 一,50000,50000\n合計,,50000,50000\n\n"
        "メゾン楠\n部屋,家賃,敷金,入居者\n1,60000,0,佐藤 二\n"
    )
    assert [(one["building"], one["rent"]) for one in found["tenancies"]] == [
        ("コーポ桐", 50_000),
        ("メゾン楠", 60_000),
    ]


def test_an_english_roll_is_read() -> None:
    found = read(
        "Rent roll as of November 20 2026,,,,,,,,\nBilled through November 2026,,,,,,,,\n"
        "Property,Unit,Tenant,Lease start,Lease end,Monthly rent,Common fee,Deposit held,Balance due\n"
        'Kiri Court,101,John Smith,2025-04-01,2027-03-31,"55,000","2,000","55,000",\n'
        'Kiri Court,102,Vacant,,,"56,000","2,000",,\n'
        'Total,,,,,"55,000","2,000","55,000",\n'
    )
    assert (found["asOf"], found["billedThrough"]) == ("2026-11-20", "2026-11-30")
    assert found["totals"] | {"rent": 55_000} == found["totals"]
    assert [one["vacant"] for one in found["units"]] == [False, True]
    assert only(found)["people"][0]["name"] == "John Smith"
    assert found["askAboutRows"] == []


def test_marks_for_every_month_say_what_is_unpaid() -> None:
    found = read(
        "コーポ桐　入金管理表　2026年11月20日現在\n"
        "号室,氏名,賃料,敷金,9月,10月,11月,12月\n"
        "101,山田 一,50000,0,○,○,✕,\n"
        "102,佐藤 二,50000,0,50000,30000,未,\n"
        "103,鈴木 三,50000,0,済,60000,○,\n"
    )
    assert found["billedThrough"] == "2026-11-30"
    debts = {
        one["room"]: [(d["for"], d["amount"]) for d in one["unpaid"]] for one in found["tenancies"]
    }
    assert debts == {
        "101": [("rent 2026-11", 50_000)],
        "102": [("rent 2026-10", 20_000), ("rent 2026-11", 50_000)],
        "103": [],
    }
    assert found["totals"]["overpaid"] == 10_000


def test_what_was_billed_and_what_was_paid_give_the_balance() -> None:
    found = read(
        "コーポ桐　2026年11月分　請求入金一覧,2026/11/20現在\n"
        "号室,氏名,家賃,共益費,敷金,請求額,入金額\n"
        "101,山田 一,50000,2000,0,52000,52000\n"
        "102,佐藤 二,50000,2000,0,52000,40000\n"
        "103,鈴木 三,50000,2000,0,52000,60000\n"
    )
    assert (found["totals"]["unpaid"], found["totals"]["overpaid"]) == (12_000, 8_000)


@pytest.mark.parametrize(
    ("cell", "people"),
    [
        ("山田 一（ヤマダ ハジメ）", [("山田 一", "ヤマダ ハジメ")]),
        ("山田 一　ヤマダ ハジメ", [("山田 一", "ヤマダ ハジメ")]),
        ('"山田 一\nﾔﾏﾀﾞ ﾊｼﾞﾒ"', [("山田 一", "ヤマダ ハジメ")]),
        ("山田 一様", [("山田 一", None)]),
        ("山田 一・佐藤 二", [("山田 一", None), ("佐藤 二", None)]),
        ("山田 一／佐藤 二", [("山田 一", None), ("佐藤 二", None)]),
        ("マリア・ロペス", [("マリア・ロペス", None)]),
        ("谷口 みのり", [("谷口 みのり", None)]),
    ],
)
def test_a_name_is_read_with_its_reading(cell: str, people: list[tuple[str, str | None]]) -> None:
    found = only(rolled(f"101,{cell},2025/4/1,2027/3/31,55000,2000,0,,"))
    assert [(one["name"], one["kana"]) for one in found["people"]] == people


@pytest.mark.parametrize(
    "name", ["㈱ミナモ", "株式会社ミナモ", "(株)ミナモ", "ミナモ有限会社", "Minamo Ltd"]
)
def test_a_company_is_asked_who_lives_in_the_room(name: str) -> None:
    found = rolled(f"101,{name},2025/4/1,2027/3/31,55000,2000,0,,")
    assert only(found)["people"][0]["company"] is True
    assert asked(found) == [
        ("氏名", "A company holds this contract. Who lives in the room?", False)
    ]


@pytest.mark.parametrize("name", ["空室", "（空室）", "空き", "【空】", "募集中", "Vacant", ""])
def test_a_vacant_room_makes_a_unit_and_no_person(name: str) -> None:
    found = rolled(f"101,{name},,,55000,2000,,,")
    assert (found["tenancies"], found["units"][0]["askingRent"]) == ([], 55_000)


def test_a_common_fee_inside_the_rent_is_no_fee_and_is_asked_once() -> None:
    found = rolled(
        "101,山田 一,2025/4/1,2027/3/31,55000（共込）,,0,,",
        "102,佐藤 二,2025/4/1,2027/3/31,55000,込,0,,",
    )
    assert [one["includedFees"] for one in found["tenancies"]] == [["commonFee"]] * 2
    assert [one[0] for one in asked(found)] == ["賃料"]
    assert found["totals"]["fees"] == 0


def test_amounts_in_ten_thousands_are_told_by_the_title() -> None:
    found = read("コーポ桐,単位：万円\n号室,氏名,賃料,敷金\n101,山田 一,5.5,11\n")
    assert (only(found)["rent"], only(found)["depositHeld"]) == (55_000, 110_000)


def test_a_line_for_a_parking_space_is_a_fee_of_who_rents_it() -> None:
    found = rolled(
        "101,山田 一,2025/4/1,2027/3/31,55000,2000,0,,",
        "駐車場1,山田 一,2025/4/1,,8000,,,,",
        "駐車場2,外部 太郎,2025/4/1,,9000,,,,",
    )
    assert only(found)["fees"] == {"commonFee": 2_000, "parking": 8_000}
    assert [one[2] for one in asked(found)] == [False, True]
    assert len(found["units"]) == 1


def test_a_person_on_a_line_of_their_own_lives_in_the_room_above() -> None:
    found = rolled("101,山田 一,2025/4/1,2027/3/31,55000,2000,0,,", ",山田 花,,,,,,,")
    assert [one["role"] for one in only(found)["people"]] == ["contractHolder", "coOccupant"]


def test_a_term_in_one_cell_may_be_open_ended() -> None:
    head = "部屋番号,契約者,契約期間,家賃,敷金\n"
    found = rolled("1,山田 一,R6.4.1～R8.3.31,50000,0", "2,佐藤 二,2024/4/1〜,50000,0", head=head)
    assert [(one["start"], one["end"]) for one in found["tenancies"]] == [
        ("2024-04-01", "2026-03-31"),
        ("2024-04-01", None),
    ]


def test_rooms_that_stand_beside_each_other_are_told_by_their_cell() -> None:
    sheet = row(1, "号室", "氏名", "賃料", "敷金", "号室", "氏名", "賃料", "敷金")
    sheet += row(2, "101", "山田 一", 50000, 0, "201", "佐藤 二", 60000, 0)
    found = read(workbook(一覧=sheet), "roll.xlsx")
    assert [(one["at"], one["room"]) for one in found["tenancies"]] == [
        ("一覧!A2", "101"),
        ("一覧!E2", "201"),
    ]


def test_a_table_on_its_side_is_read_column_by_column() -> None:
    sheet = row(1, "号室", "101", "102") + row(2, "氏名", "山田 一", "空室")
    sheet += row(3, "賃料", 50000, 60000) + row(4, "敷金", 50000, "")
    found = read(workbook(コーポ桐=sheet), "roll.xlsx")
    assert [(one["at"], one["vacant"]) for one in found["units"]] == [
        ("コーポ桐!B1", False),
        ("コーポ桐!C1", True),
    ]
    assert only(found)["rent"] == 50_000


def test_debts_on_a_sheet_of_their_own_belong_to_the_rooms_of_the_roll() -> None:
    roll = row(1, "号室", "氏名", "契約開始", "賃料", "敷金") + row(
        2, "101", "山田 一", "2025/4/1", 50000, 0
    )
    debts = row(1, "号室", "氏名", "滞納額", "内訳") + row(2, "101", "山田 一", 100000, "9月・10月")
    found = only(read(workbook(入居者=roll, 滞納=debts), "roll.xlsx"))
    assert [one["for"] for one in found["unpaid"]] == ["rent 2026-09", "rent 2026-10"]


def test_a_hidden_column_of_rents_is_not_the_rent() -> None:
    sheet = row(1, "号室", "氏名", "契約開始", "賃料", "賃料", "敷金")
    sheet += row(2, "101", "山田 一", "2015/4/1", 50000, 55000, "1ヶ月")
    hidden = workbook(コーポ桐=sheet, columns='<cols><col min="4" max="4" hidden="1"/></cols>')
    found = read(hidden, "roll.xlsx")
    assert (only(found)["rent"], only(found)["depositHeld"]) == (55_000, 55_000)
    assert "50,000" in found["askAboutRows"][0]["why"]


def test_a_tenancy_without_a_start_blocks() -> None:
    found = rolled("101,山田 一,,2027/3/31,55000,2000,0,,入居中")
    assert {one[2] for one in asked(found)} == {True}


def test_the_day_of_the_next_renewal_is_offered_as_the_end() -> None:
    head = "号室,氏名,入居日,更新日,賃料,敷金\n"
    found = rolled("101,山田 一,2025/4/1,2027/3/31,55000,0", head=head)
    assert only(found)["end"] == "2027-03-31"
    assert [one[0] for one in asked(found)] == ["更新日"]


def test_a_second_tenancy_of_a_room_at_once_blocks() -> None:
    line = "101,{},{},{},55000,2000,0,,"
    twice = rolled(
        line.format("山田 一", "2025/4/1", "2027/3/31"), line.format("佐藤 二", "2026/4/1", "")
    )
    assert [one[2] for one in asked(twice)] == [True]
    assert len(twice["units"]) == 1


def test_a_remark_stays_a_remark_and_is_offered() -> None:
    found = rolled("101,山田 一,2025/4/1,2027/3/31,55000,2000,0,,12月末退去予定（11/5受付）")
    (question,) = found["askAboutRows"]
    assert question["proposal"] == {"filedOn": "2026-11-05", "moveOut": "2026-12-31"}
    assert not question["blocks"]


def test_a_comma_that_moved_a_row_blocks_it() -> None:
    found = rolled(
        *(f"10{n},山田 一,2025/4/1,2027/3/31,55000,2000,0,," for n in range(1, 6)),
        "201,佐藤 二,2025/4/1,2027/3/31,55,000,2000,0,,",
    )
    assert len(found["tenancies"]) == 5
    assert {one[2] for one in asked(found)} == {True}


def test_words_without_end_are_read_as_quickly_as_short_ones() -> None:
    for cell in ("1" * 50_000 + "x", "(" * 50_000, "計" * 50_000, "9月" * 20_000, "入居" * 20_000):
        found = rolled(f"101,{cell},2025/4/1,2027/3/31,55000,2000,0,57000,{cell}")
        assert len(found["tenancies"]) <= 1


def test_a_sheet_without_a_table_of_rooms_has_nothing_to_take_over() -> None:
    found = read("こんにちは\n世界,1,2\n")
    assert (found["units"], found["tenancies"]) == ([], [])
    assert [(one["code"], one["blocks"]) for one in found["questions"]] == [("nothing_read", True)]


def test_a_hidden_row_of_another_house_is_asked_about() -> None:
    sheet = row(1, "建物", "号室", "氏名", "契約開始", "賃料", "敷金")
    sheet += row(2, "コーポ桐", "101", "山田 一", "2025/4/1", 50000, 0)
    for number, house in ((3, "メゾン楠"), (4, "コーポ桐")):
        hidden = row(number, house, "101", "佐藤 二", "2024/4/1", 60000, 0)
        sheet += hidden.replace("<row ", '<row hidden="1" ')
    found = read(workbook(一覧=sheet), "roll.xlsx")
    assert [(one["building"], one["rent"]) for one in found["tenancies"]] == [
        ("コーポ桐", 50_000),
        ("メゾン楠", 60_000),
    ]
    asked_rows = [(one["at"], one["blocks"]) for one in found["askAboutRows"]]
    assert asked_rows == [("一覧!3", True), ("一覧!4", True)]


def test_many_hidden_rows_are_read_as_quickly_as_shown_ones() -> None:
    sheet = row(1, "号室", "氏名", "契約開始", "賃料", "敷金")
    for number in range(2, 602):
        shown = row(number, f"{number}", "山田 一", "2025/4/1", 50000, 0)
        sheet += shown.replace("<row ", '<row hidden="1" ')
    assert len(read(workbook(コーポ桐=sheet), "roll.xlsx")["tenancies"]) == 600


@pytest.mark.parametrize("state", ["空き予定", "空室予定"])
def test_a_resident_of_a_room_to_become_vacant_lives_there(state: str) -> None:
    head = "号室,氏名,状態,契約開始,賃料,敷金,滞納額\n"
    found = rolled(f"101,山田 一,{state},2025/4/1,50000,50000,50000", head=head)
    assert (only(found)["depositHeld"], found["totals"]["unpaid"]) == (50_000, 50_000)


@pytest.mark.parametrize(
    ("cells", "blocks"),
    [
        ("2025/4/1,,50000,,", True),
        (",,50000,50000,", True),
        (",,50000,,50000", True),
        (",,50000,0,0", False),
        ("2020/4/1,2026/8/31,50000,50000,", False),
    ],
)
def test_a_vacant_state_of_a_row_with_terms_blocks_it(cells: str, blocks: bool) -> None:
    head = "号室,氏名,状態,契約開始,退去日,賃料,敷金,滞納額\n"
    found = rolled(f"101,山田 一,募集中,{cells}", head=head)
    assert [one[2] for one in asked(found)] == [blocks]


@pytest.mark.parametrize("words", ["入居者・退去者一覧", "解約済みは網掛け", "住戸・駐車場一覧表"])
def test_a_title_about_former_tenants_or_spaces_hides_no_resident(words: str) -> None:
    line = "101,山田 一,2025/4/1,2027/3/31,55000,2000,55000,,"
    for title in (f"コーポ桐\n{words}\n", f"コーポ桐\n{HEAD}{words}\n"):
        found = read(title + (HEAD if title.count("\n") == 2 else "") + line + "\n")
        assert (only(found)["building"], asked(found)) == ("コーポ桐", [])


@pytest.mark.parametrize(
    ("end", "debt", "blocks"),
    [("2026/3/31", "", False), ("2026/3/31", "30000", True), ("2027/3/31", "", True)],
)
def test_a_former_tenant_who_owes_or_whose_term_runs_blocks(
    end: str, debt: str, blocks: bool
) -> None:
    found = rolled("【退去者】", f"101,山田 一,2024/4/1,{end},55000,2000,55000,{debt},")
    assert [one[2] for one in asked(found)] == [blocks]


@pytest.mark.parametrize("beside", [("物件・部屋", "コーポ桐 101"), ("号室", "101")])
def test_debts_on_a_second_sheet_belong_to_a_room_told_with_its_house(
    beside: tuple[str, str],
) -> None:
    roll = row(1, "物件・部屋", "氏名", "契約開始", "賃料", "敷金")
    roll += row(2, "コーポ桐 101号室", "山田 一", "2025/4/1", 50000, 0)
    title, room = beside
    debts = row(1, title, "氏名", "滞納額", "内訳") + row(2, room, "山田 一", 100000, "9月・10月")
    found = only(read(workbook(入居者=roll, 滞納=debts), "roll.xlsx"))
    assert [one["for"] for one in found["unpaid"]] == ["rent 2026-09", "rent 2026-10"]


@pytest.mark.parametrize(
    ("title", "cell", "held", "is_asked"),
    [
        ("敷金・礼金", "1ヶ月/100,000", 80_000, False),
        ("敷金・礼金", "100,000/1ヶ月", 100_000, False),
        ("敷金", "1ヶ月/100,000", 80_000, True),
        ("敷金", "1ヶ月/80,000", 80_000, False),
        ("敷金", "100,000（1ヶ月）", 100_000, True),
        ("敷金", "80,000（1ヶ月）", 80_000, False),
    ],
)
def test_key_money_beside_a_deposit_is_not_held(
    title: str, cell: str, held: int, is_asked: bool
) -> None:
    head = f"号室,氏名,契約開始,賃料,{title}\n"
    found = rolled(f'101,山田 一,2025/4/1,80000,"{cell}"', head=head)
    assert only(found)["depositHeld"] == held
    wanted = [(title, f"{held:,}?", False)] if is_asked else []
    assert asked(found) == wanted


@pytest.mark.parametrize("title", ["その他", "特約", "経過", "対応"])
def test_sums_in_a_column_of_remarks_are_asked_about(title: str) -> None:
    head = f"号室,氏名,契約開始,賃料,敷金,{title}\n"
    words = rolled("101,山田 一,2025/4/1,50000,0,犬一匹まで", head=head)
    assert (only(words)["note"], words["askAboutTheFile"]) == ("犬一匹まで", [])
    sums = rolled(
        "101,山田 一,2025/4/1,50000,0,3000", "102,佐藤 二,2025/4/1,50000,0,なし", head=head
    )
    (question,) = sums["askAboutTheFile"]
    assert title in question["why"]
    chosen = read_takeover(
        (TITLE + head + "101,山田 一,2025/4/1,50000,0,3000\n").encode(),
        "roll.csv",
        TODAY,
        Instructions(learnt={title: ColumnReading(Meaning.NOTE)}),
    )
    assert chosen.about_the_file == []


def test_a_part_paid_of_the_month_a_tenancy_began_in_is_asked_about() -> None:
    head = "号室,氏名,契約開始,賃料,敷金,入金額\n"
    lines = ("101,山田 一,2026/11/16,85000,0,42500", "102,佐藤 二,2025/4/1,85000,0,42500")
    found = rolled(*lines, head=head)
    assert next(one["unpaid"] for one in found["tenancies"]) == []
    assert found["totals"]["unpaid"] == 42_500
    assert "the first month" in asked(found)[0][1]


def test_a_long_cell_of_house_and_room_is_read_as_quickly_as_a_short_one() -> None:
    head = "物件・部屋,氏名,契約開始,賃料,敷金\n"
    for cell in ("桐 " * 25_000, "桐" + " " * 50_000 + "x", "1-" * 25_000):
        found = rolled(f"{cell},山田 一,2025/4/1,50000,0", head=head)
        assert len(found["tenancies"]) <= 1


@pytest.mark.parametrize(
    ("title", "cells", "unpaid", "overpaid", "is_asked"),
    [
        ("当月請求", "20000,52000,52000", 20_000, 0, False),
        ("当月請求", "-5000,52000,52000", 0, 5_000, False),
        ("請求額", "20000,52000,52000", 20_000, 0, False),
        ("請求額", "20000,72000,52000", 20_000, 0, False),
        ("請求額", "20000,60000,52000", 8_000, 0, True),
        ("請求額", "0,60000,52000", 8_000, 0, False),
        ("請求額", "20000,,", 0, 0, True),
    ],
)
def test_what_was_carried_over_is_owed_beside_the_month(
    title: str, cells: str, unpaid: int, overpaid: int, is_asked: bool
) -> None:
    found = read(
        "コーポ桐　2026年11月分　入金一覧,2026/11/20現在\n"
        f"号室,氏名,契約開始,家賃,共益費,敷金,前月繰越,{title},入金額\n"
        f"101,山田 一,2025/4/1,50000,2000,0,{cells}\n"
    )
    totals = found["totals"]
    assert (totals["unpaid"], totals["overpaid"]) == (unpaid, overpaid)
    blocking = [one["column"] for one in found["askAboutRows"] if one["blocks"]]
    assert blocking == (["前月繰越"] if is_asked else [])


def test_what_was_carried_over_without_a_bill_is_asked_about() -> None:
    found = rolled(
        "101,山田 一,2025/4/1,50000,0,20000", head="号室,氏名,契約開始,賃料,敷金,前月繰越\n"
    )
    assert asked(found) == [("前月繰越", "20,000 was carried over. Is it still unpaid?", True)]


THOUSANDS = "コーポ桐,2026年11月20日現在,11月分まで請求済,単位：千円\n"


def test_a_rest_a_debt_and_a_fee_in_thousands_are_thousands() -> None:
    rest = rolled(
        "1,山田 一,2025/4/1,50,0,残5", head="号室,氏名,契約開始,賃料,敷金,11月\n", title=THOUSANDS
    )
    assert rest["totals"]["unpaid"] == 5_000
    yen = rolled(
        '1,山田 一,2025/4/1,50,0,"残5,000円"',
        head="号室,氏名,契約開始,賃料,敷金,11月\n",
        title=THOUSANDS,
    )
    assert yen["totals"]["unpaid"] == 5_000
    minus = rolled(
        "1,山田 一,2025/4/1,50,0,-12.5",
        "2,佐藤 二,2025/4/1,50,0,-12.5",
        head="号室,氏名,契約開始,賃料,敷金,滞納額\n",
        title=THOUSANDS,
    )
    assert minus["totals"]["unpaid"] == 25_000


def test_a_fee_a_line_has_the_factor_of_its_amount() -> None:
    head = "号室,氏名,契約開始,費目,月額（千円）,敷金\n"
    found = rolled("1,山田 一,2025/4/1,賃料,50,0", ",,,共益費,3,", head=head)
    assert (only(found)["rent"], only(found)["fees"]) == (50_000, {"commonFee": 3_000})


def test_a_balance_in_thousands_is_laid_on_the_months_billed() -> None:
    head = row(1, "コーポ桐 単位：千円") + row(
        2, "号室", "氏名", "賃料", "敷金", "請求額", "入金額", "差引"
    )
    sheets = {
        "2026年10月": head + row(3, "1", "山田 一", 50, 0, 62.5, 0, -62.5),
        "2026年11月": head + row(3, "1", "山田 一", 50, 0, 50, 0, -112.5),
    }
    sheets["2026年11月"] += row(4, "2", "佐藤 二", 50, 0, 50, 37.5, -12.5)
    found = read(workbook("", **sheets), "roll.xlsx")
    debts = [
        [(debt["for"], debt["amount"]) for debt in one["unpaid"]] for one in found["tenancies"]
    ]
    assert debts == [
        [("rent 2026-10", 62_500), ("rent 2026-11", 50_000)],
        [("rent 2026-11", 12_500)],
    ]


def test_deposits_agreed_and_held_are_one_total_of_a_sheet() -> None:
    found = rolled(
        "101,山田 一,2025/4/1,50000,60000,50000",
        "合計,,,50000,60000,50000",
        head="号室,氏名,契約開始,賃料,敷金,預り敷金\n",
    )
    assert (found["shownTotals"]["depositHeld"], found["askAboutTheFile"]) == (50_000, [])
