"""What a roll does not say for certain is asked: columns, sums, codes, rows without a room."""

import json
from datetime import date
from typing import Any

import msgspec
import pytest

from pms.arrivals.takeover.reading import read_takeover
from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from pms.sheets.grid import RowFault
from tests.commands import run_command
from tests.imports.test_workbooks import row, workbook
from tests.sheets.test_grid import data_with_hidden

TODAY = date(2026, 11, 20)
TITLE = "コーポ桐　入居者一覧,2026年11月20日現在,11月分まで請求済\n"
HEAD = "号室,氏名,契約開始日,賃料,敷金"
LINE = "101,山田 一,2025/4/1,50000,50000"


def read(text: str | bytes, name: str = "roll.csv") -> dict[str, Any]:
    data = text.encode() if isinstance(text, str) else text
    found = read_takeover(data, name, TODAY)
    body: dict[str, Any] = json.loads(msgspec.json.encode(found.shape()))
    return body


def rolled(head: str, *lines: str) -> dict[str, Any]:
    return read(TITLE + head + "\n" + "\n".join(lines) + "\n")


def asked(found: dict[str, Any]) -> list[tuple[str, str | None, bool]]:
    return [(one["code"], one["column"], one["blocks"]) for one in found["questions"]]


@pytest.mark.parametrize(
    ("title", "cell"),
    [
        ("オーナー氏名", "鈴木 一郎"),
        ("前入居者", "鈴木 一郎"),
        ("仲介業者名", "みどり不動産"),
        ("緊急連絡先氏名", "鈴木 一郎"),
        ("家主名", "鈴木 一郎"),
        ("在留期限", "2026/12/31"),
        ("火災保険満期日", "2026/12/31"),
        ("保証開始日", "2020/1/1"),
        ("当初契約日", "2020/1/1"),
    ],
)
def test_a_heading_that_only_contains_a_known_word_is_no_such_column(title: str, cell: str) -> None:
    found = rolled(f"{title},{HEAD}", f"{cell},{LINE}")
    (let,) = found["tenancies"]
    assert [person["name"] for person in let["people"]] == ["山田 一"]
    assert (let["start"], let["end"]) == ("2025-04-01", None)
    (sheet,) = found["columns"]
    assert {"column": "A", "title": title, "use": "passedOver"}.items() <= sheet["columns"][
        0
    ].items()


@pytest.mark.parametrize(
    "title",
    [
        "改定後賃料",
        "新賃料",
        "次回賃料",
        "賃料（改定後）",
        "返還敷金",
        "敷金（返還済）",
        "保証会社未収金",
    ],
)
def test_money_under_a_heading_that_turns_a_known_word_is_asked_about(title: str) -> None:
    found = rolled(f"{title},{HEAD}", f"68000,{LINE}")
    (let,) = found["tenancies"]
    assert (let["rent"], let["depositHeld"], let["unpaid"]) == (50_000, 50_000, [])
    assert ("unknown_column", title, False) in asked(found)


@pytest.mark.parametrize(
    ("titles", "cells"),
    [
        ("敷金,保証金", "50000,100000"),
        ("滞納額,未収金", "0,3000"),
        ("前受金,過入金", "5000,3000"),
        ("契約終了日,満了日", "2027/3/31,2027/4/30"),
    ],
)
def test_two_columns_of_one_meaning_that_differ_block(titles: str, cells: str) -> None:
    found = rolled(f"号室,氏名,契約開始日,賃料,{titles}", f"101,山田 一,2025/4/1,50000,{cells}")
    both = titles.replace(",", " / ")
    assert ("two_columns", both, True) in asked(found)


def test_two_columns_that_say_the_same_are_not_asked_about() -> None:
    found = rolled(f"{HEAD},契約終了日,満了日", f"{LINE},2027/3/31,R9.3.31")
    assert asked(found) == []
    assert found["tenancies"][0]["end"] == "2027-03-31"


@pytest.mark.parametrize(
    ("cell", "end"),
    [
        ("2年", "2027-03-31"),
        ("24ヶ月", "2027-03-31"),
        ("1年6ヶ月", "2026-09-30"),
        ("2 years", "2027-03-31"),
    ],
)
def test_the_length_of_a_contract_gives_its_end_as_a_proposal(cell: str, end: str) -> None:
    found = rolled(f"{HEAD},契約期間", f"{LINE},{cell}")
    assert found["tenancies"][0]["end"] == end
    assert ("term_length", "契約期間", False) in asked(found)


def test_a_term_of_two_days_beside_a_start_gives_the_end() -> None:
    found = rolled(f"{HEAD},契約期間", f"{LINE},2025/4/1～2027/3/31")
    assert (found["tenancies"][0]["end"], asked(found)) == ("2027-03-31", [])
    other = rolled(f"{HEAD},契約期間", f"{LINE},2025/5/1～2027/4/30")
    assert ("term_differs", "契約期間", True) in asked(other)


@pytest.mark.parametrize(
    "line",
    [
        '101,"山田 "一" 様",2025/4/1,50000,50000',
        "101,山田 一,2025/4/1,50,000,50,000",
        "101,山田 一,2025/4/1",
        "101,山田 一,2025/4/1,50,000",
    ],
)
def test_a_broken_or_shifted_row_is_asked_about_and_never_taken(line: str) -> None:
    found = rolled(HEAD, line, "102,佐藤 二,2025/5/1,60000,60000", "103,空,,61000,")
    assert [let["room"] for let in found["tenancies"]] == ["102"]
    (question,) = [one for one in found["questions"] if one["at"] == "line 3"]
    assert (question["blocks"], question["column"]) == (True, "号室")
    assert question["code"] in set(RowFault)


@pytest.mark.parametrize("room", ["1月2日", "2026/1/3", "TRUE", "#N/A", "2-Jan", "46025"])
def test_a_room_that_a_spreadsheet_changed_blocks(room: str) -> None:
    found = rolled(HEAD, f"{room},山田 一,2025/4/1,50000,50000")
    assert ("号室", True) in [(column, blocks) for _, column, blocks in asked(found)]


def test_an_error_in_place_of_a_name_is_no_person() -> None:
    found = rolled(HEAD, "101,#N/A,2025/4/1,50000,50000")
    assert ("cell_error", "氏名", True) in asked(found)


@pytest.mark.parametrize(
    ("paid", "owes", "through", "code"),
    [
        ("30-Nov-2026", "", "2026-11-30", None),
        ("30-Sep-2026", "100000", "2026-11-30", "billed_and_owed"),
        ("14-Dec-2026", "", "2026-12-14", "pays_from_day_to_day"),
        ("30-Sep-2026", "", "2026-09-30", "paid_behind"),
    ],
)
def test_paid_until_says_how_far_rent_was_billed(
    paid: str, owes: str, through: str, code: str | None
) -> None:
    found = rolled(f"{HEAD},Paid until,滞納額", f"101,山田 一,2025/4/1,50000,50000,{paid},{owes}")
    assert found["tenancies"][0]["billedThrough"] == through
    codes = [name for name, column, _ in asked(found) if column == "Paid until"]
    assert codes == ([code] if code else [])


def test_a_rent_of_nothing_is_asked_about() -> None:
    found = rolled(HEAD, "101,山田 一,2025/4/1,0,50000")
    assert asked(found) == [("rent_zero", "賃料", True)]


def test_a_total_alone_is_no_rent_without_a_word() -> None:
    found = rolled("号室,氏名,契約開始日,合計,共益費,敷金", "101,山田 一,2025/4/1,60000,5000,0")
    assert ("rent_from_total", "合計", True) in asked(found)


def test_parts_of_a_sum_are_not_added_again() -> None:
    found = rolled(
        "号室,氏名,契約開始日,賃料,（内）共益費,敷金", "101,山田 一,2025/4/1,60000,5000,0"
    )
    (let,) = found["tenancies"]
    assert (let["rent"], let["fees"], let["includedFees"]) == (60_000, {}, ["commonFee"])
    assert ("rent_includes_fee", "賃料", False) in asked(found)


def test_a_list_of_rent_steps_is_no_list_of_tenancies() -> None:
    steps = row(1, "号室", "氏名", "適用開始日", "賃料") + row(
        2, "101", "山田 一", "2025/4/1", 48000
    )
    steps += row(3, "101", "山田 一", "2026/4/1", 50000)
    roll = row(1, "号室", "氏名", "契約開始日", "賃料", "敷金")
    roll += row(2, "101", "山田 一", "2025/4/1", 50000, 0)
    found = read(workbook(契約=roll, 賃料改定=steps), "roll.xlsx")
    assert [let["rent"] for let in found["tenancies"]] == [50_000]
    assert "rent_steps" in {code for code, _, _ in asked(found)}


def test_one_person_twice_in_a_room_is_asked_about() -> None:
    head = "号室,氏名,契約開始日,契約終了日,賃料,敷金"
    found = rolled(head, "101,山田 一,2023/4/1,2025/3/31,48000,0", "101,山田 一,2025/4/1,,50000,0")
    assert ("tenancy_twice", "氏名", True) in asked(found)


@pytest.mark.parametrize("line", [",,,12000,", "全体,,,12000,"])
def test_an_amount_for_the_whole_house_is_asked_about(line: str) -> None:
    found = rolled(HEAD, LINE, line)
    questions = [one for one in found["questions"] if one["at"] == "line 4"]
    assert questions
    assert found["totals"]["rent"] == 50_000


def test_utilities_without_a_room_are_asked_about() -> None:
    found = rolled(f"{HEAD},水道代", f"{LINE},3000", ",,,,,24000")
    assert [(one["code"], one["column"]) for one in found["questions"]] == [
        ("whole_house", "水道代")
    ]


def test_beds_keep_their_room() -> None:
    head = "部屋,ベッド,氏名,契約開始日,賃料,敷金"
    found = rolled(head, "2,A,山田 一,2025/4/1,30000,0", "2,B,佐藤 二,2025/4/1,30000,0")
    assert [unit["room"] for unit in found["units"]] == ["2-A", "2-B"]
    assert {code for code, _, _ in asked(found)} == {"beds"}


def test_moved_out_is_offered_only_when_a_day_says_so() -> None:
    head = "号室,氏名,契約開始日,退去日,賃料,敷金,状況"
    told = rolled(head, "101,山田 一,2025/4/1,2026/10/31,50000,0,退去済")
    assert asked(told) == [("left_already", "退去日", False)]
    untold = rolled(head, "101,山田 一,2025/4/1,,50000,0,退去済")
    assert asked(untold) == [("left_without_day", "状況", True)]
    owes = rolled(f"{head},滞納額", "101,山田 一,2025/4/1,2026/10/31,50000,0,退去済,12000")
    assert asked(owes) == [("left_owes", "滞納額", True)]


def test_codes_that_a_heading_explains_are_read() -> None:
    found = rolled(
        f"{HEAD},状態(1:契約中 2:空室)",
        f"{LINE},1",
        "102,,,55000,,2",
        "103,佐藤 二,2025/4/1,50000,0,3",
    )
    assert [unit["vacant"] for unit in found["units"]] == [False, True, False]
    assert asked(found) == [("code_unknown", "状態(1:契約中 2:空室)", True)]


def test_codes_of_letters_are_read_and_one_that_nobody_explains_is_asked_about() -> None:
    found = rolled(f"{HEAD},状態(A:契約中 B:空室)", f"{LINE},A", "102,,,55000,,b")
    assert [unit["vacant"] for unit in found["units"]] == [False, True]
    assert asked(found) == []
    assert asked(rolled(f"{HEAD},状態", f"{LINE},A")) == [("code_unknown", "状態", True)]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("状態 1:契約中 2:空室", ""),
        ("※状態(1:契約中、2:空室)", ""),
        ("状態,1:契約中,2:空室", ""),
        ("1=契約中,2=空室", ""),
        ("", "状態 1:契約中 2:空室"),
        ("", "※1=契約中、2=空室"),
    ],
)
def test_codes_that_a_line_beside_the_table_explains_are_asked_about_once(
    above: str, below: str
) -> None:
    rows = [f"{HEAD},状態", f"{LINE},1", "102,,,55000,,2", "103,佐藤 二,2025/4/1,50000,0,1"]
    found = read(TITLE + "\n".join([above, *rows, "", below, ""]))
    assert [unit["vacant"] for unit in found["units"]] == [False, True, False]
    assert asked(found) == [("codes", "状態", True)]
    (question,) = found["askAboutTheFile"]
    assert "1 = 契約中, 2 = 空室" in question["why"]
    assert found["units"][0]["building"] == "コーポ桐"


def test_a_code_that_the_line_leaves_out_is_asked_about_in_its_row() -> None:
    rows = [f"{HEAD},状態", f"{LINE},1", "102,佐藤 二,2025/4/1,50000,0,3"]
    found = read(TITLE + "\n".join(["状態 1:契約中 2:空室", *rows, ""]))
    assert asked(found) == [("codes", "状態", True), ("code_unknown", "状態", True)]


def test_a_serial_number_that_is_a_text_is_asked_about() -> None:
    found = rolled(HEAD, "101,山田 一,45748,50000,0")
    assert found["tenancies"][0]["start"] == "2025-04-01"
    assert asked(found) == [("serial_day", "契約開始日", False)]


def test_serial_numbers_of_a_workbook_count_from_its_own_first_day() -> None:
    sheet = row(1, "号室", "氏名", "契約開始日", "賃料", "敷金") + row(
        2, "101", "山田 一", 45748, 50000, 0
    )
    data = workbook(S=sheet)
    assert read(data, "a.xlsx")["tenancies"][0]["start"] == "2025-04-01"
    old = data_with_part(data, b"<sheets>", b'<workbookPr date1904="1"/><sheets>')
    assert read(old, "a.xlsx")["tenancies"][0]["start"] == "2029-04-02"


def data_with_part(data: bytes, wanted: bytes, given: bytes) -> bytes:
    import io
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        for part in old.namelist():
            new.writestr(part, old.read(part).replace(wanted, given))
    return made.getvalue()


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        ("1-Apr-2025", "2025-04-01"),
        ("Ｒ０７０４０１", "2025-04-01"),
        ("Ｒ７０４０１", "2025-04-01"),
        ("25.04.01", "2025-04-01"),
    ],
)
def test_days_are_read_in_the_forms_that_offices_use(cell: str, day: str) -> None:
    assert rolled(HEAD, f"101,山田 一,{cell},50000,0")["tenancies"][0]["start"] == day


def test_a_roll_without_a_column_of_names_has_no_vacant_rooms() -> None:
    found = rolled("号室,契約開始日,賃料,敷金,ご契約様", "101,2025/4/1,50000,0,山田 一")
    assert found["totals"]["vacant"] == 0
    assert ("no_names", None, True) in asked(found)


def test_lines_above_and_counts_below_are_no_houses_and_no_rooms() -> None:
    found = read(
        "Rent Roll\nProperties: Sunny House\nAs of: 11/18/2026\n\n"
        "Unit,Tenant,Rent,Deposit,Lease From,Lease To\n"
        '101,"Smith, John","65,000","65,000",04/13/2025,03/31/2027\n'
        '6 Units,,"335,000","266,000",,\n'
    )
    assert [(unit["building"], unit["room"]) for unit in found["units"]] == [("Sunny House", "101")]
    assert "line 7" in {passed["at"] for passed in found["passOver"]}


def test_a_hidden_sheet_is_named_when_something_is_missing() -> None:
    roll = row(1, "号室", "氏名", "契約開始日", "賃料") + row(
        2, "101", "山田 一", "2025/4/1", 50000
    )
    deposits = row(1, "号室", "敷金") + row(2, "101", 50000)
    data = data_with_hidden("敷金", workbook(契約=roll, 敷金=deposits))
    found = read(data, "roll.xlsx")
    assert [sheet["role"] for sheet in found["sheets"]] == ["roll", "hidden sheet"]
    assert "hidden_sheet" in {code for code, _, _ in asked(found)}


def test_a_debt_of_a_room_that_no_roll_has_is_asked_about() -> None:
    roll = row(1, "号室", "氏名", "契約開始日", "賃料", "敷金")
    roll += row(2, "101", "山田 一", "2025/4/1", 50000, 0)
    debts = row(1, "号室", "氏名", "滞納額") + row(2, "101", "山田 一", 50000)
    debts += row(3, "109", "森 四", 30000)
    found = read(workbook(契約=roll, 滞納=debts), "roll.xlsx")
    assert ("room_not_in_the_roll", "号室", True) in asked(found)
    assert found["totals"]["unpaid"] == 50_000


def test_a_file_of_which_nothing_is_read_says_so_and_ends_with_an_error(
    clock: FixedClock, settings: Settings, tmp_path: Any
) -> None:
    path = tmp_path / "list.csv"
    path.write_text("品名,数\nベッド,3\n机,4\n", "utf-8")
    ran = run_command(["takeover", "check", str(path), "--json"], clock, settings)
    assert ran.exit_code == 1
    questions = json.loads(ran.output)["questions"]
    assert ("nothing_read", True) in [(one["code"], one["blocks"]) for one in questions]


def test_an_old_file_asks_for_a_newer_one_and_blocks() -> None:
    title = TITLE.replace("2026年11月20日", "2026年9月30日").replace("11月分", "9月分")
    found = read(title + HEAD + "\n" + LINE + "\n")
    assert asked(found) == [("sheet_is_old", None, True)]


def test_a_question_tells_its_place_to_a_program() -> None:
    found = read(
        workbook(
            S=row(1, "号室", "氏名", "契約開始日", "賃料", "敷金")
            + row(2, "101", "山田", "x", 50000, 0)
        ),
        "roll.xlsx",
    )
    question = next(one for one in found["questions"] if one["code"] == "not_a_day")
    assert (question["sheet"], question["cell"], question["at"]) == ("S", "2", "S!2")
    assert (question["column"], question["value"], question["blocks"]) == ("契約開始日", "x", True)
