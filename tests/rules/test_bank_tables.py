"""A bank's list of movements as a table: columns by their heads, rows by their balances."""

import csv
import io
from datetime import date

import pytest

from pms.rules.bank_columns import BankTableFault, TableFault, TableLine, TableRole, find_columns
from pms.rules.bank_letters import UnwritableLetter, bank_bytes, cut_bytes
from pms.rules.bank_statements import BankAccount, BankStatement, MoneyMove, read_statements
from pms.rules.bank_tables import read_bank_day, read_table

TODAY = date(2026, 11, 20)


def _read(text: str, chosen: dict[TableRole, str] | None = None, tab: str = ",") -> BankStatement:
    cells = csv.reader(io.StringIO(text), delimiter=tab)
    lines = [TableLine(number, tuple(one)) for number, one in enumerate(cells, 1)]
    return read_table(lines, find_columns(lines, chosen), BankAccount(), TODAY).statement


def lines_of(statement: BankStatement) -> list[tuple[str, int, bool, str]]:
    return [
        (row.booked_on.isoformat(), row.yen, row.is_deposit, row.payer) for row in statement.rows
    ]


WANTED = [("2026-11-01", 70000, True, "ヤマダ タロウ"), ("2026-11-02", 880, False, "")]


@pytest.mark.parametrize(
    ("text", "tab"),
    [
        (
            "日付,内容,出金金額(円),入金金額(円),残高(円),メモ\n"
            "2026/11/02,テスウリヨウ,880,,99120,\n2026/11/01,振込＊ヤマダ　タロウ,,70000,100000,\n",
            ",",
        ),
        (
            "取引日,入出金(円),取引後残高(円),入出金内容\n"
            "20261101,70000,100000,振込 ヤマダ タロウ\n20261102,-880,99120,テスウリヨウ\n",
            ",",
        ),
        (
            "操作日(年),操作日(月),操作日(日),取引順番号,摘要,お支払金額,お預り金額,残高,メモ\n"
            '2026,11,1,1,振込 ヤマダ タロウ,,"70,000","100,000",\n2026,11,2,2,テスウリヨウ,880,,"99,120",\n',
            ",",
        ),
        (
            "口座番号\t1234567\n期間\tR8.11.1～R8.11.2\n\n日付\t受入/払出\t金額\t残高\t摘要\n"
            "R8.11.1\t受入\t70,000円\t100,000円\t振込 ヤマダ タロウ\n"
            "R8.11.2\t払出\t880円\t99,120円\tテスウリヨウ\n合計\t\t70,880円\t\t\n",
            "\t",
        ),
        (
            "年月日,お引出し,お預入れ,お取り扱い内容,残高,メモ,ラベル\n"
            "2026/11/1,,70000,振込 ヤマダ タロウ,100000,,\n2026/11/2,880,,テスウリヨウ,99120,,\n",
            ",",
        ),
    ],
    ids=["newest first", "one signed amount", "a day in three columns", "preamble", "another head"],
)
def test_the_lists_of_banks_are_known_by_their_heads(text: str, tab: str) -> None:
    statement = _read(text, tab=tab)
    assert [(*one[:3], one[3].replace("　", " ")) for one in lines_of(statement)] == WANTED
    assert (statement.opening_yen, statement.closing_yen) == (30000, 99120)
    assert [row.move for row in statement.rows] == [MoneyMove.TRANSFER, MoneyMove.FEE]


def test_a_list_nobody_knows_is_read_by_the_columns_chosen_by_hand() -> None:
    text = "Tag,Wer,Betrag\n2026/11/01,ヤマダ タロウ,70000\n"
    with pytest.raises(BankTableFault) as refusal:
        _read(text)
    assert refusal.value.fault is TableFault.NO_HEADER
    chosen = {TableRole.DAY: "Tag", TableRole.PAYER: "Wer", TableRole.AMOUNT: "Betrag"}
    assert lines_of(_read(text, chosen)) == WANTED[:1]


def test_the_head_is_looked_for_in_the_first_forty_lines() -> None:
    table = "日付,内容,出金,入金,残高\n2026/11/01,振込＊ヤマダ タロウ,,70000,100000\n"
    assert lines_of(_read("ご案内\n" * 39 + table)) == WANTED[:1]
    with pytest.raises(BankTableFault) as refusal:
        _read("ご案内\n" * 40 + table)
    assert (refusal.value.fault, refusal.value.line) == (TableFault.NO_HEADER, 0)


R = TableRole


@pytest.mark.parametrize(
    ("heads", "places"),
    [
        ("日　付|'摘要'|入出金 (円)", {R.DAY: 0, R.TEXT: 1, R.AMOUNT: 2}),
        ("日付|出金|入金|金額|受払区分", {R.DAY: 0, R.PAID_OUT: 1, R.PAID_IN: 2}),
        ("日付|出金|金額|受払", {R.DAY: 0, R.PAID_OUT: 1, R.AMOUNT: 2, R.DIRECTION: 3}),
        (
            "年|月|日|入金|金額",
            {R.YEAR: 0, R.MONTH: 1, R.DAY_OF_MONTH: 2, R.PAID_IN: 3, R.AMOUNT: 4},
        ),
        ("日付|金額|金額", {R.DAY: 0, R.AMOUNT: 1}),
    ],
)
def test_a_head_is_known_in_any_spelling_and_stands_for_one_column(
    heads: str, places: dict[TableRole, int]
) -> None:
    preamble = TableLine(2, ("日付", "2026/11/20"))
    columns = find_columns([preamble, TableLine(3, tuple(heads.split("|")))])
    assert (columns.line, columns.places) == (3, places)


def test_a_column_chosen_by_hand_goes_before_the_known_one_and_must_be_there() -> None:
    line = TableLine(3, ("日付", "金額", "内容", "メモ", "お名前"))
    chosen = {R.MESSAGE: "お名前", R.TEXT: ""}
    assert find_columns([line], chosen).places == {R.DAY: 0, R.AMOUNT: 1, R.TEXT: 2, R.MESSAGE: 4}
    with pytest.raises(BankTableFault) as refusal:
        find_columns([line], {R.MESSAGE: "メモ", R.PAYER: "Wer", R.NUMBER: "Nr"})
    fault = refusal.value
    assert (fault.fault, fault.line, fault.column) == (TableFault.UNKNOWN_COLUMN, 3, R.PAYER)
    assert (fault.found, fault.wanted) == ("wer", "日付, 金額, 内容, メモ, お名前")


def test_a_row_missing_in_the_list_is_found_by_the_balances() -> None:
    text = "日付,内容,出金,入金,残高\n2026/11/01,振込 A,,100,100\n2026/11/02,振込 B,,100,300\n"
    with pytest.raises(BankTableFault) as refusal:
        _read(text)
    fault = refusal.value
    assert (fault.fault, fault.line, fault.found, fault.wanted) == (TableFault.BALANCE, 3, 300, 200)


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("2026/13/01,x,,100,100", TableFault.NO_DAY),
        ("2026/11/01,x,,many,100", TableFault.NO_AMOUNT),
        ("2026/11/01,x,100,100,100", TableFault.TWO_AMOUNTS),
        ("2026/11/01,x,,5,5\n2026/11/02,x,,,100", TableFault.NO_AMOUNT),
    ],
)
def test_a_row_that_cannot_be_read_refuses_the_list(row: str, fault: TableFault) -> None:
    with pytest.raises(BankTableFault) as refusal:
        _read(f"日付,内容,出金,入金,残高\n{row}\n")
    assert (refusal.value.fault, refusal.value.line) == (fault, 2 + row.count("\n"))


@pytest.mark.parametrize(
    "text",
    [
        "2026/11/1",
        "2026-11-01",
        "20261101",
        "R8.11.1",
        "令和8年11月1日",
        "8.11.1",
        "2026年11月1日",
        "26/11/1",
        "081101",
        "261101",
        "R081101",
        "Ｒ０８１１０１",
        "1-Nov-2026",
    ],
)
def test_days_are_read_as_banks_write_them(text: str) -> None:
    assert read_bank_day(text, TODAY) == date(2026, 11, 1)


def test_a_notice_of_transfers_is_read_and_a_cancelled_one_goes_out() -> None:
    header = "1" + "01" + "0" + "081102" * 3 + "9801" + "ﾐﾄﾞﾘﾉ".ljust(15) + "012" + " " * 15
    header += "1" + "0021788" + "ｶ)ﾐﾄﾞﾘ".ljust(40)
    row = "2" + "{:06d}" + "081101" * 2 + "{:010d}" + "0" * 10 + "0" * 10 + "{}" + " " * 30 + "{}"
    rows = [
        row.format(1, 70000, "ﾔﾏﾀﾞ ﾀﾛｳ".ljust(48), "0"),
        row.format(2, 500, "ﾂﾙﾐ".ljust(48), "1"),
    ]
    trailer = "8" + "000001" + f"{70000:012d}" + "000001" + f"{500:012d}"
    records = [header, *rows, trailer, "9"]
    data = b"\r\n".join(one.encode("cp932").ljust(200) for one in records)
    (statement,) = read_statements(data, date(2026, 11, 20))
    assert lines_of(statement) == [
        ("2026-11-01", 70000, True, "ﾔﾏﾀﾞ ﾀﾛｳ"),
        ("2026-11-01", 500, False, "ﾂﾙﾐ"),
    ]
    assert statement.rows[1].move is MoneyMove.CORRECTION


def test_records_whose_fields_stand_between_commas_are_read() -> None:
    data = (
        "1,03,0,081102,081101,081102,9801,ﾐﾄﾞﾘﾉ,012,ﾜｶﾊﾞﾁﾖｳ,1,0000021788,ｶ)ﾐﾄﾞﾘ,1,1,00000000001000\r\n"
        "2,00000001,081101,081101,1,11,000000070000,000000000000,,,,,,,ﾔﾏﾀﾞ ﾀﾛｳ,,,,\r\n"
        "8,000001,0000000070000,000000,0000000000000,1,00000000071000,0000001\r\n"
        "9,0000000004,00001\r\n"
    ).encode("cp932")
    (statement,) = read_statements(data, date(2026, 11, 20))
    assert lines_of(statement) == [("2026-11-01", 70000, True, "ﾔﾏﾀﾞ ﾀﾛｳ")]


def test_letters_are_written_in_half_width_and_never_cut_before_their_mark() -> None:
    assert bank_bytes("ヴー　ミン").decode("cp932") == "ｳﾞ- ﾐﾝ"
    assert bank_bytes("シュレスタ を").decode("cp932") == "ｼﾕﾚｽﾀ ｵ"
    assert cut_bytes(bank_bytes("ガガ"), 3).decode("cp932") == "ｶﾞ"
    with pytest.raises(UnwritableLetter):
        bank_bytes("山田・太郎")


HEAD = "日付,摘要,摘要内容,出金,入金,残高,取引順番号\n"


@pytest.mark.parametrize(
    ("text", "payer", "yen", "move", "message"),
    [
        ("手数料", "ヤマダ", -880, MoneyMove.FEE, "ヤマダ"),
        ("", "テスウリヨウ", -880, MoneyMove.FEE, "テスウリヨウ"),
        ("国債", "", -880, MoneyMove.OTHER, "国債"),
        ("振込", "ヤマダ", 70000, MoneyMove.TRANSFER, "ヤマダ"),
        ("振込 ヤマダ", "", 70000, MoneyMove.TRANSFER, "ヤマダ"),
        ("振込 ヤマダ", "スズキ", 70000, MoneyMove.TRANSFER, "スズキ"),
        ("振込", "", 70000, MoneyMove.TRANSFER, ""),
        ("入金", "ヤマダ", 70000, MoneyMove.TRANSFER, "ヤマダ"),
        ("", "ヤマダ", 70000, MoneyMove.TRANSFER, "ヤマダ"),
        ("ヤマダ", "", 1, MoneyMove.TRANSFER, "ヤマダ"),
        ("国債", "ヤマダ", 70000, MoneyMove.OTHER, "ヤマダ"),
        ("口座振替", "", 70000, MoneyMove.DEBIT, ""),
        ("", "", 70000, MoneyMove.OTHER, ""),
    ],
)
def test_a_row_says_what_moved_and_who_paid_in_one_column_or_two(
    text: str, payer: str, yen: int, move: MoneyMove, message: str
) -> None:
    amounts = f",{yen}" if yen > 0 else f"{-yen},"
    (row,) = _read(f"{HEAD}2026/11/01,{text},{payer},{amounts},,7\n").rows
    assert (row.move, row.payer, row.text) == (move, message, text)
    assert (row.is_deposit, row.yen) == (yen > 0, abs(yen))


def test_a_cell_loses_the_mark_of_a_text_and_no_letter() -> None:
    (row,) = _read(f"{HEAD}2026/11/01,振込,'XAVIER X,,1,,7\n").rows
    assert row.payer == "XAVIER X"


def test_rows_of_which_one_lacks_its_balance_are_put_in_order_by_their_days() -> None:
    found = _read(_listed((2, 5, 900), (2, 5, ""), (1, 7, 100))).rows
    assert [(row.booked_on.day, row.balance_yen) for row in found] == [
        (1, 100),
        (2, None),
        (2, 900),
    ]


def test_a_list_without_numbers_is_counted_through_and_lost_letters_are_told() -> None:
    found = _read(f"{HEAD}2026/11/01,,ヤマダ,,1,,7\n2026/11/01,,ヤマ\ufffd,,1,\n").rows
    assert [(row.number, row.is_broken) for row in found] == [("7", False), ("00000002", True)]


@pytest.mark.parametrize(
    "line",
    [
        ",※手数料は翌月",
        "合計,,,880,70000,",
        ",,合計,880,70000,",
        ",注記,合計,880,70000,",
        ",,,,,",
        "* * *",
    ],
)
def test_what_is_no_movement_below_a_list_is_passed_over(line: str) -> None:
    assert len(_read(f"{HEAD}2026/11/01,,ヤマダ,,1,\n{line}\n").rows) == 1


@pytest.mark.parametrize(
    ("text", "fault", "line", "column", "found"),
    [
        (f"{HEAD}2026/11/01,,,,many,\n", TableFault.NO_AMOUNT, 2, "入金", "many"),
        (f"{HEAD},,ヤマダ,,1,\n", TableFault.NO_DAY, 2, "日付", ""),
        (f"{HEAD}2026/11/01,,,,{'9' * 13},\n", TableFault.NO_AMOUNT, 2, "入金", "9" * 13),
        (f"{HEAD}2026/11/01,,{'ア' * 301},,5,\n", TableFault.TOO_LONG, 2, "摘要内容", "ア" * 60),
        (f"口座\n{HEAD}合計\n", TableFault.EMPTY, 2, "", ""),
        ("日付,受払,金額\n2026/11/01,x,5\n", TableFault.NO_DIRECTION, 2, "受払", "x"),
        ("日付,受払,金額\n2026/11/01,1,x\n", TableFault.NO_AMOUNT, 2, "金額", "x"),
        ("年,月,日,金額\n26,13,1,5\n", TableFault.NO_DAY, 2, "年", "26"),
    ],
)
def test_a_refusal_names_the_line_the_column_and_what_stands_there(
    text: str, fault: TableFault, line: int, column: str, found: str
) -> None:
    with pytest.raises(BankTableFault) as refusal:
        _read(text)
    refused_with = refusal.value
    assert (refused_with.fault, refused_with.line, refused_with.column, refused_with.found) == (
        fault,
        line,
        column,
        found,
    )


@pytest.mark.parametrize(
    ("cells", "yen"),
    [
        ('-,"¥ 70,000円"', 70_000),
        ("ー,70 000", 70_000),
        ("－,７０，０００.00", 70_000),
        (",'70000", 70_000),
        ("880,", -880),
    ],
)
def test_an_amount_stands_in_one_of_two_columns(cells: str, yen: int) -> None:
    (row,) = _read(f"日付,出金,入金,メモ\n'2026/11/01,{cells}\n").rows
    assert (row.yen if row.is_deposit else -row.yen) == yen


@pytest.mark.parametrize(
    ("word", "yen", "signed"),
    [
        *(("1", "5", 5), ("2", "5", -5), ("受入", "5", 5)),
        *(("払出", "5", -5), ("支払", "-5", -5)),
    ],
)
def test_a_column_of_its_own_may_say_whether_money_came(word: str, yen: str, signed: int) -> None:
    (row,) = _read(f"日付,受払,金額\n2026/11/01,{word},{yen}\n").rows
    assert (row.yen if row.is_deposit else -row.yen) == signed


def test_days_of_other_eras_are_read_and_no_others() -> None:
    assert read_bank_day("令和元年5月1日", TODAY) == date(2019, 5, 1)
    assert read_bank_day("h31.4.30", TODAY) == date(2019, 4, 30)
    assert read_bank_day("昭和64年1月7日", TODAY) == date(1989, 1, 7)
    assert read_bank_day("99/12/31", TODAY) == date(2099, 12, 31)
    assert read_bank_day("元.5.1", TODAY) == date(2019, 5, 1)
    for text in ("2026/2/29", "月初", "202/11/1", "100.1.1", "20261/1/1", "46327", "11/02/2026"):
        assert read_bank_day(text, TODAY) is None


def _listed(*rows: tuple[int, int, int | str]) -> str:
    """A list of days of November, signed yen and balances."""
    amounts = ((day, (f",{yen}" if yen > 0 else f"{-yen},"), left) for day, yen, left in rows)
    lines = (f"2026/11/{day},{amount},{left}" for day, amount, left in amounts)
    return "日付,出金,入金,残高\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("rows", "yens"),
    [
        ([(2, 5, ""), (1, 6, ""), (1, 7, "")], [7, 6, 5]),
        ([(1, 5, ""), (2, 6, "")], [5, 6]),
        ([(1, 5, ""), (1, 6, "")], [5, 6]),
        ([(2, 5, 5), (1, 6, "")], [6, 5]),
        ([(2, 100, 100), (1, 50, 150)], [100, 50]),
        ([(2, 100, 100), (1, -100, 0)], [100, 100]),
        ([(1, -100, 0), (1, 50, 50), (1, 50, 100)], [100, 50, 50]),
    ],
)
def test_a_list_is_put_in_order_by_its_balances_or_its_days(
    rows: list[tuple[int, int, int | str]], yens: list[int]
) -> None:
    assert [row.yen for row in _read(_listed(*rows)).rows] == yens


@pytest.mark.parametrize(("day", "comes_first"), [(1, False), (2, True)])
def test_a_list_that_holds_either_way_goes_by_its_days(day: int, comes_first: bool) -> None:
    rows = _read(_listed((day, 100, 100), (1, -100, 0))).rows
    assert [row.is_deposit for row in rows] == [not comes_first, comes_first]


@pytest.mark.parametrize(
    ("days", "wanted"),
    [((1, 2, 3), 200), ((3, 2, 1), 500), ((1, 1, 1), 200), ((1, 3, 2), 200), ((2, 1, 3), 200)],
)
def test_a_broken_balance_is_told_in_the_order_of_the_days(
    days: tuple[int, int, int], wanted: int
) -> None:
    with pytest.raises(BankTableFault) as refusal:
        _read(_listed(*zip(days, (100, 100, 100), (100, 300, 400), strict=True)))
    fault = refusal.value
    assert (fault.line, fault.found, fault.wanted) == (3, 300, wanted)


@pytest.mark.parametrize(
    ("rows", "found", "wanted"),
    [
        ([(1, -100, 0), (1, 100, 300), (1, 9, 9)], 300, 100),
        ([(1, 100, 100), (1, 100, 0), (1, 100, 500)], 0, 200),
    ],
)
def test_a_balance_of_nothing_is_a_balance(
    rows: list[tuple[int, int, int]], found: int, wanted: int
) -> None:
    with pytest.raises(BankTableFault) as refusal:
        _read(_listed(*rows))
    assert (refusal.value.found, refusal.value.wanted) == (found, wanted)
