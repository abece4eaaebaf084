"""A bank's account of what moved: its counts, sums, balances, days and kinds of movement."""

from datetime import date

import pytest

from pms.rules.bank_records import BankFileFault, FileKind, RecordFault, write_record
from pms.rules.bank_statements import (
    BankAccount,
    BankStatement,
    MoneyMove,
    days_of,
    move_of_words,
    read_statements,
)

Values = dict[str, str | int]
TODAY = date(2026, 11, 20)
DAYS: Values = {"作成日": "081102", "勘定日自": "081101", "勘定日至": "081102"}
ACCOUNT: Values = {"コード区分": "0", "預金種目": "1"}
IN: Values = {"勘定日": "081101", "入払区分": "1", "取引区分": "11", "取引金額": 70000}
OUT: Values = {"勘定日": "081102", "入払区分": "2", "取引区分": "14", "取引金額": 880}
SUMS: Values = {
    "入金件数": 1,
    "入金額合計": 70000,
    "出金件数": 1,
    "出金額合計": 880,
    "データ件数": 2,
}


def statement(*rows: Values, **of: Values) -> BankStatement:
    """The statement of these rows, with other values in its header and its trailer."""
    header = {
        **ACCOUNT,
        **DAYS,
        "種別コード": "03",
        "口座番号": "0012345678",
        **of.get("header", {}),
    }
    trailer: Values = {**SUMS, **of.get("trailer", {})}
    lines: list[tuple[str, Values]] = [
        ("1", header),
        *(("2", row) for row in rows),
        ("8", trailer),
        ("9", {}),
    ]
    data = b"".join(write_record(FileKind.STATEMENT, place, one, 1) for place, one in lines)
    (found,) = read_statements(data, TODAY)
    return found


def refused(*rows: Values, **of: Values) -> BankFileFault:
    with pytest.raises(BankFileFault) as refusal:
        statement(*rows, **of)
    return refusal.value


@pytest.mark.parametrize(
    ("header", "trailer", "balances"),
    [
        ({"取引前残高": 1000}, {"取引後残高": 70120}, (1000, 71000, 70120)),
        ({}, {"取引後残高": 69120}, (0, 70000, 69120)),
        ({"取引前残高": 69120, "貸越区分": "2"}, {}, (-69120, 880, 0)),
        ({}, {}, (None, None, None)),
    ],
)
def test_each_row_has_its_balance_where_the_bank_tells_one(
    header: Values,
    trailer: Values,
    balances: tuple[int | None, int | None, int | None],
) -> None:
    found = statement(IN, OUT, header=header, trailer=trailer)
    first, second = found.rows
    assert (found.opening_yen, first.balance_yen, second.balance_yen) == balances
    assert found.closing_yen == balances[2]
    assert (found.first_on, found.last_on) == (date(2026, 11, 1), date(2026, 11, 2))
    assert found.account == BankAccount("0000", "000", "1", "2345678")


@pytest.mark.parametrize(
    ("trailer", "fault", "field", "found", "wanted"),
    [
        ({"入金件数": 2}, RecordFault.COUNT, "入金件数", 2, 1),
        ({"入金件数": 0}, RecordFault.COUNT, "入金件数", 0, 1),
        ({"入金額合計": 1}, RecordFault.TOTAL, "入金額合計", 1, 70000),
        ({"データ件数": 3}, RecordFault.COUNT, "データ件数", 3, 2),
        ({"取引後残高": 1}, RecordFault.BALANCE, "取引後残高", 1, 69120),
    ],
)
def test_a_count_or_sum_that_does_not_hold_is_told_with_what_was_counted(
    trailer: Values, fault: RecordFault, field: str, found: int, wanted: int
) -> None:
    refusal = refused(IN, OUT, trailer=trailer)
    assert (refusal.fault, refusal.field, refusal.found, refusal.wanted) == (
        fault,
        field,
        found,
        wanted,
    )


def test_a_bank_may_leave_its_own_numbers_and_the_count_of_rows_open() -> None:
    found = statement(IN, OUT | {"照会番号": "00000012"}, trailer={"データ件数": 0})
    assert [row.number for row in found.rows] == ["", "00000012"]


@pytest.mark.parametrize(
    ("code", "text", "move"),
    [
        ("11", "ﾃｽｳﾘﾖｳ", MoneyMove.TRANSFER),
        ("14", "ﾃｽｳﾘﾖｳ", MoneyMove.FEE),
        ("14", "", MoneyMove.DEBIT),
        ("18", "ﾘｿｸ", MoneyMove.INTEREST),
        ("18", "", MoneyMove.OTHER),
        ("10", "", MoneyMove.CASH),
        ("19", "", MoneyMove.CORRECTION),
    ],
)
def test_a_movement_is_told_by_its_code_or_its_words(code: str, text: str, move: MoneyMove) -> None:
    row = statement(IN | {"取引区分": code, "摘要内容": text}, OUT).rows[0]
    assert row.move is move


def test_words_name_a_movement_at_their_beginning_or_end() -> None:
    texts = ("ﾘｿｸ 11ｶﾞﾂ", "ﾌﾂｳ ﾘｿｸ", "11ｶﾞﾂ ﾘｿｸ ﾌﾞﾝ")
    other = MoneyMove.OTHER
    assert [move_of_words(text, other) for text in texts] == [
        MoneyMove.INTEREST,
        MoneyMove.INTEREST,
        other,
    ]


@pytest.mark.parametrize(
    ("digits", "day"),
    [
        ("081101", date(2026, 11, 1)),
        ("261101", date(2026, 11, 1)),
        ("240229", date(2024, 2, 29)),
        ("181101", date(2018, 11, 1)),
    ],
)
def test_a_day_is_of_the_era_or_the_year_that_lies_nearest(digits: str, day: date) -> None:
    assert statement(IN | {"勘定日": digits}, OUT).rows[0].booked_on == day


@pytest.mark.parametrize("digits", ["081301", "000000"])
def test_a_day_that_is_none_is_refused(digits: str) -> None:
    refusal = refused(IN | {"勘定日": digits}, OUT)
    assert (refusal.fault, refusal.field) == (RecordFault.NO_DAY, "勘定日")
    assert (refusal.found, refusal.wanted) == (digits, "YYMMDD")


def notice(*rows: Values, broken: bytes = b"") -> BankStatement:
    """A notice of one transfer of 70,000 yen and one of 500 that was cancelled."""
    header: Values = {**ACCOUNT, **DAYS, "種別コード": "01", "口座番号": "0012345"}
    sums: Values = {"振込件数": 1, "振込金額": 70000, "取消件数": 1, "取消金額": 500}
    lines: list[tuple[str, Values]] = [
        ("1", header),
        *(("2", row) for row in rows),
        ("8", sums),
        ("9", {}),
    ]
    data = b"".join(write_record(FileKind.NOTICE, place, one, 1) for place, one in lines)
    (found,) = read_statements(data.replace(b"ZZ", broken) if broken else data, TODAY)
    return found


CANCELLED: Values = {"勘定日": "081102", "金額": 500, "取消区分": "1"}


@pytest.mark.parametrize(
    ("amount", "message"),
    [(70000, ""), (70000, "000000099999"), (0, "000000070000"), (0, "000000070000 ABC")],
)
def test_a_notice_may_have_its_amounts_in_twelve_digits(amount: int, message: str) -> None:
    row: Values = {"勘定日": "081101", "金額": amount, "取消区分": "0", "EDI情報": message}
    found = notice(row, CANCELLED)
    assert [one.yen for one in found.rows] == [70000, 500]
    assert [one.move for one in found.rows] == [MoneyMove.TRANSFER, MoneyMove.CORRECTION]
    assert (found.first_on, found.last_on) == (date(2026, 11, 1), date(2026, 11, 2))
    assert found.account.number == "0012345"


@pytest.mark.parametrize("field", ["振込依頼人名", "EDI情報"])
def test_letters_that_are_none_break_a_name_and_a_message(field: str) -> None:
    noticed = notice(
        {"勘定日": "081101", "金額": 70000, "取消区分": "0", field: "ZZ"},
        CANCELLED,
        broken=b"\x81\xfd",
    )
    assert [row.is_broken for row in noticed.rows] == [True, False]
    header: Values = {**ACCOUNT, **DAYS, "種別コード": "03"}
    lines: list[tuple[str, Values]] = [
        ("1", header),
        ("2", {**IN, field: "ZZ"}),
        ("2", OUT),
        ("8", SUMS),
        ("9", {}),
    ]
    data = b"".join(write_record(FileKind.STATEMENT, place, one, 1) for place, one in lines)
    (stated,) = read_statements(data.replace(b"ZZ", b"\x81\xfd"), TODAY)
    assert [row.is_broken for row in stated.rows] == [True, False]


def test_a_request_of_debits_is_no_statement() -> None:
    places = ("1", "8", "9")
    data = b"".join(write_record(FileKind.DEBIT, one, {"種別コード": "91"}, 1) for one in places)
    with pytest.raises(BankFileFault) as refusal:
        read_statements(data, TODAY)
    refused_with = refusal.value
    assert (refused_with.fault, refused_with.field) == (RecordFault.UNKNOWN_KIND, "種別コード")
    assert (refused_with.found, refused_with.wanted) == ("91", "03, 01")


def test_rows_lie_between_their_first_and_last_day() -> None:
    days = statement(OUT, IN).rows
    assert days_of(days) == (date(2026, 11, 1), date(2026, 11, 2))
