"""What users of other programs reported of bank files, and the kinds that they stand for."""

import random
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pms.bank.statement_files import BankFile, read_bank_file
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.settings import Settings
from pms.rules.bank_columns import PassOver, TableRole
from tests.bank.conftest import TODAY
from tests.bank.statement_files import Moved, statement_file
from tests.imports.test_workbooks import row as sheet_row
from tests.imports.test_workbooks import workbook
from tests.reports import Reports, cases_of

CASES = cases_of("bank")
HEAD = "日付,摘要,出金,入金\n"
RECORDS = statement_file([Moved("ヤマダ タロウ", 70_000), Moved("サトウ ハナコ", 65_000)])


@pytest.mark.parametrize("name", CASES)
def test_what_users_reported_of_bank_files_holds(
    name: str, settings: Settings, database: Database, tmp_path: Path, clock: Clock
) -> None:
    assert not Reports(tmp_path, settings, clock, database).differences(CASES[name])


def read(text: str, **chosen: Any) -> BankFile:
    return read_bank_file(text.encode("cp932"), TODAY, **chosen)


def amounts(found: BankFile) -> list[int]:
    return [
        row.yen if row.is_deposit else -row.yen
        for statement in found.statements
        for row in statement.rows
    ]


@pytest.mark.parametrize(
    "text",
    [
        f'{HEAD}2026/11/19,"振込 "スズキ" 11",,5\n',
        f'{HEAD}2026/11/19,"振込 スズキ,,5\n2026/11/20,振込 ヤマダ,,6\n',
        '"日"付","摘要","出金","入金"\n"2026/11/19","振込 スズキ","","5"\n',
    ],
)
def test_broken_quotation_marks_refuse_the_list_with_their_line(text: str) -> None:
    with pytest.raises(Refused, match=r"line \d+: the quotation marks are broken|opened on line 2"):
        read(text)


@pytest.mark.parametrize("line", ["2026/11/19,振込 スズキ,,50,000", "2026/11/19,振込 スズキ"])
def test_a_movement_with_a_cell_too_many_or_too_few_refuses_the_list(line: str) -> None:
    with pytest.raises(Refused, match=r"line 2 has \d cells, but the headings have 4"):
        read(f"{HEAD}{line}\n2026/11/20,振込 ヤマダ,,6\n2026/11/21,振込 サトウ,,7\n")


@pytest.mark.parametrize(
    "text",
    [
        "日付,摘要,入金,出金,メモ\n2026/11/03,振込 B,50,000\n2026/11/03,振込 B,50,000\n",
        "日付,摘要,入金,出金\n2026/11/03,振込 B,50,000\n2026/11/03,振込 C,70,000\n",
        "日付,摘要,金額,メモ\n2026/11/03,振込 B,\\50,000円\n",
        "日付,摘要,金額,メモ\n2026/11/03,振込 B,50,500\n",
    ],
)
def test_an_amount_that_a_comma_divided_is_refused_where_the_row_is_full(text: str) -> None:
    with pytest.raises(Refused, match=r"line 2: '\\?50 \| [05]00円?' may be one amount"):
        read(text)


def test_small_amounts_beside_other_amounts_are_no_parts_of_one() -> None:
    found = read(
        "日付,摘要,金額,残高,メモ\n2026/11/03,利息,50,500,\n2026/11/04,振込 A,7,507,101\n"
        "2026/11/05,振込 B,1000,1507,102\n"
    )
    assert amounts(found) == [50, 7, 1000]


@pytest.mark.parametrize("yen", ["70.000", "70000.50", "7万"])
def test_an_amount_that_is_not_whole_yen_is_refused(yen: str) -> None:
    with pytest.raises(Refused, match="cannot be read"):
        read(f"{HEAD}2026/11/20,振込 A,,{yen}\n")


def test_a_total_with_a_comma_too_many_is_still_no_movement() -> None:
    found = read(f"{HEAD}2026/11/20,振込 ヤマダ,,6\n合計,,0,1,006\n")
    assert amounts(found) == [6]
    assert [one.reason for one in found.tables[0].passed] == [PassOver.TOTAL]


@pytest.mark.parametrize("minus", ["-350,000", "△350,000", "▲ 350,000", "(350,000)", "350,000-"])
def test_a_sign_under_money_out_does_not_turn_it_into_money_in(minus: str) -> None:
    assert amounts(read(f'{HEAD}2026/11/19,オーナー,"{minus}",\n2026/11/20,A,,7\n')) == [
        -350_000,
        7,
    ]


@pytest.mark.parametrize(
    "rows",
    ["2026/11/19,A,,-7\n", "2026/11/19,A,-7,\n2026/11/20,B,7,\n", "2026/11/19,A,,(7)\n"],
)
def test_a_minus_that_may_take_a_row_back_is_refused(rows: str) -> None:
    with pytest.raises(Refused, match="has a minus"):
        read(HEAD + rows)


@pytest.mark.parametrize(
    "rows", ["2026/11/19,入金,-7\n", "2026/11/19,出金,-7\n2026/11/20,出金,7\n"]
)
def test_a_minus_beside_a_column_with_the_direction_is_refused_too(rows: str) -> None:
    with pytest.raises(Refused, match="'-7' under 金額 has a minus"):
        read(f"日付,入払区分,金額\n{rows}")


def test_an_amount_in_and_out_in_one_row_is_refused_in_words() -> None:
    with pytest.raises(Refused, match=r"line 2 has money in \(8\) and money out"):
        read(f"{HEAD}2026/11/19,A,7,8\n")


def test_one_signed_column_says_the_direction_by_its_sign_or_by_brackets() -> None:
    text = "日付,摘要,入出金\n2026/11/19,A,△7\n2026/11/20,B,(8)\n2026/11/21,C,+9\n"
    assert amounts(read(text)) == [-7, -8, 9]


def test_lines_that_move_nothing_are_passed_over_and_named() -> None:
    head = "日付,摘要,出金,入金,残高\n"
    found = read(
        f"{head}2026/11/01,前月繰越,,,500000\n2026/11/20,振込 ヤマダ,,70000,570000\n"
        f"{head}2026/11/21,お知らせ,0,0,570000\n,,,,\n※ご注意,,,,\n合計,,0,70000,\n"
    )
    assert amounts(found) == [70_000]
    assert [(one.line, one.reason) for one in found.tables[0].passed] == [
        (2, PassOver.NOTHING_MOVED),
        (4, PassOver.HEAD),
        (5, PassOver.NOTHING_MOVED),
        (7, PassOver.NOTE),
        (8, PassOver.TOTAL),
    ]
    assert found.tables[0].passed[0].text == "2026/11/01 前月繰越 500000"


def test_a_balance_carried_forward_as_an_amount_is_no_movement() -> None:
    head = "日付,摘要,出金,入金,残高\n"
    text = f"{head}2026/11/01,前月繰越,,500000,500000\n2026/11/20,振込 A,,7,500007\n"
    assert amounts(read(text)) == [7]
    more = f"{text}2026/11/30,次月繰越,500007,,0\n"
    assert amounts(read(more)) == [7]
    without_balance = f"{HEAD}2026/11/01,前月繰越,,500000\n2026/11/20,振込 A,,7\n"
    assert amounts(read(without_balance)) == [7]


@pytest.mark.parametrize("word", ["合計", "入金合計", "今月合計額", "Total"])
def test_a_total_with_a_day_is_no_movement(word: str) -> None:
    found = read(f"{HEAD}2026/11/20,振込 A,,7\n2026/11/30,{word},0,7\n-,{word},,7\n")
    assert amounts(found) == [7]
    assert [one.reason for one in found.tables[0].passed] == [PassOver.TOTAL, PassOver.TOTAL]


def test_lines_above_the_headings_are_named() -> None:
    found = read(f"口座番号,1234567\n\n{HEAD}2026/11/20,振込 A,,7\n")
    assert found.tables[0].passed == ((1, "口座番号 1234567", PassOver.ABOVE),)


def test_a_line_without_an_amount_whose_balance_moved_is_refused() -> None:
    head = "日付,摘要,出金,入金,残高\n"
    with pytest.raises(Refused, match="line 3"):
        read(f"{head}2026/11/20,振込 A,,7,107\n2026/11/21,振込 B,,,200\n")


def test_columns_that_are_not_read_are_named_with_an_example() -> None:
    found = read(
        "日付,摘要,出金,入金,ラベル,店番,空欄\n2026/11/20,振込,,7,,012,\n2026/11/21,振込,,8,家賃,,\n"
    )
    assert found.tables[0].unread == (("ラベル", "家賃"), ("店番", "012"))


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        (
            "取引日,入出金明細ＩＤ,受入金額（円）,払出金額（円）,詳細１,詳細２,現在（貸付）高\n"
            "20261120,1,7,,振込,ヤマダ　タロウ,570000\n",
            "ヤマダ\u3000タロウ",
        ),
        ("取引日,お引出金額,お預入金額,お取引内容\n2026/11/20,,7,振込 ヤマダ\n", "ヤマダ"),
        ("取扱日付,金額,入払区分,摘要\n2026/11/20,7,入金,振込 ヤマダ\n", "ヤマダ"),
        ("Date,Description,Withdrawal,Deposit,Balance\n2026/11/20,YAMADA,,7,8\n", "YAMADA"),
        ("取扱日付,お支払金額,お預り金額,取引区分,残高,摘要\n2026/11/20,,7,振込,8,ﾔﾏﾀﾞ\n", "ﾔﾏﾀﾞ"),
        ("日付,入金,出金,送金者\n2026/11/20,7,,ヤマダ\n", "ヤマダ"),
    ],
)
def test_the_headings_of_other_banks_are_known(text: str, payer: str) -> None:
    (statement,) = read(text).statements
    assert [(row.yen, row.payer) for row in statement.rows] == [(7, payer)]


def test_two_columns_of_amounts_that_differ_are_asked_about() -> None:
    text = "日付,摘要,金額,取引金額\n2026/11/20,A,7,{}\n"
    assert amounts(read(text.format(7))) == [7]
    with pytest.raises(Refused, match="金額 and 取引金額"):
        read(text.format(9))


def test_every_sheet_is_read_in_the_order_of_its_days_or_named() -> None:
    heads = sheet_row(1, "取引日", "出金金額", "入金金額", "摘要")
    found = read_bank_file(
        workbook(
            B=heads + sheet_row(2, "2026/11/05", "", "50000", "ヤマダ"),
            Notes=sheet_row(1, "電話", "03"),
            A=heads + sheet_row(2, "2026/10/05", "", "70000", "スズキ"),
            Empty="",
        ),
        TODAY,
    )
    assert [one.rows[0].yen for one in found.statements] == [70_000, 50_000]
    assert [one.sheet for one in found.tables] == ["A", "B"]
    assert found.unread_sheets == ("Notes",)


def test_a_fault_in_a_workbook_names_its_sheet() -> None:
    heads = sheet_row(1, "取引日", "出金金額", "入金金額", "摘要")
    with pytest.raises(Refused, match="line B!2"):
        read_bank_file(workbook(B=heads + sheet_row(2, "2026/11/05", "", "x", "A")), TODAY)


def test_columns_without_known_headings_are_chosen_by_their_number() -> None:
    text = "口座,1\nいつ,いくら,,だれ\n2026/11/20,7,x,ヤマダ\n"
    chosen = {TableRole.DAY: "#1", TableRole.AMOUNT: "いくら", TableRole.PAYER: "#4"}
    found = read(text, chosen=chosen, head_line=2)
    assert [(row.yen, row.payer) for row in found.statements[0].rows] == [(7, "ヤマダ")]
    assert found.tables[0].unread == (("#3", "x"),)
    again = read(text, learnt={found.tables[0].columns.shape: chosen})
    assert amounts(again) == [7]
    none = read("日付,入出金,残高,摘要\n2026/11/20,7,9,A\n", chosen={TableRole.BALANCE: "-"})
    assert none.statements[0].closing_yen is None


def _quoted(data: bytes) -> bytes:
    return b"\r\n".join(b'"' + line + b'"' for line in data.split(b"\r\n") if line) + b"\r\n"


def test_records_between_quotation_marks_are_read() -> None:
    assert amounts(read_bank_file(_quoted(RECORDS), TODAY)) == [70_000, 65_000]
    header, others = RECORDS.split(b"\r\n", 1)
    assert amounts(read_bank_file(b'"%b"\r\n%b' % (header, others), TODAY)) == [70_000, 65_000]


def test_blank_lines_between_records_are_no_records() -> None:
    data = b"\r\n" + RECORDS.replace(b"\r\n", b"\r\n\r\n")
    assert amounts(read_bank_file(data, TODAY)) == [70_000, 65_000]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.decode("cp932").encode("utf-8"), "saved again as UTF-8"),
        (lambda data: b"\xef\xbb\xbf" + data, "saved again as UTF-8"),
        (lambda data: data.decode("cp932").encode("utf-16"), "saved again as UTF-16"),
        (lambda data: _quoted(data)[:-3], "record|header"),
        (lambda data: data[:150], "record 1 has 150 bytes"),
        (lambda data: data.replace(b"103", b"1,03", 1), "record|header|number"),
    ],
)
def test_records_that_were_saved_again_are_refused_in_words(
    change: Callable[[bytes], bytes], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        read_bank_file(change(RECORDS), TODAY)


@pytest.mark.parametrize("seed", range(300))
def test_a_file_that_was_changed_anyhow_is_read_or_refused_in_words(seed: int) -> None:
    chance = random.Random(seed)
    data = chance.choice((RECORDS, _quoted(RECORDS), RECORDS.replace(b"\r\n", b"")))
    for _ in range(chance.randrange(1, 4)):
        start = chance.randrange(len(data))
        end = start + chance.randrange(0, 40)
        put = chance.choice((b"", b'"', b",", b"\r\n", b"\x00", b" ", b"\xff", b"9", b"\t"))
        data = data[:start] + put * chance.randrange(1, 3) + data[end:]
    try:
        found = read_bank_file(data, TODAY)
    except Refused:
        return
    assert all(row.booked_on > date(2000, 1, 1) for row in found.statements[0].rows)
