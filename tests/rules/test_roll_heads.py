"""What the heads of a rent roll's columns mean, alone, in two lines and beside each other."""

from collections.abc import Sequence

import pytest

from pms.rules.roll_heads import Meaning, SheetHead, head_of, heads_of, is_lower_line

M = Meaning


def meanings(heads: Sequence[SheetHead] | None) -> list[Meaning | None]:
    assert heads is not None
    return [head.meaning for head in heads]


@pytest.mark.parametrize(
    ("title", "above", "meaning"),
    [
        ("金額", "敷金", M.DEPOSIT),
        ("額", "敷金", M.DEPOSIT),
        ("Amount", "Deposit", M.DEPOSIT),
        ("（円）", "賃料", M.RENT),
        ("税込", "賃料", M.RENT),
        ("", "賃料", M.RENT),
        ("", "", None),
        ("内訳", "滞納", M.UNPAID_DETAIL),
        ("月", "滞納", M.UNPAID_DETAIL),
        ("月分", "滞納", M.UNPAID_DETAIL),
        ("備考", "滞納", M.NOTE),
        ("月", "契約", None),
        ("開始", "契約期間", M.START),
        ("自", "契約期間", M.START),
        ("始", "契約期間", M.START),
        ("From", "Lease", M.START),
        ("終了", "契約期間", M.END),
        ("至", "契約期間", M.END),
        ("終", "契約期間", M.END),
        ("満了", "契約期間", M.END),
        ("To", "Lease", M.END),
        ("備考" + "あ" * 22, "", M.NOTE),
        ("備考" + "あ" * 23, "", None),
    ],
)
def test_a_head_lends_what_it_lacks_from_the_one_above(
    title: str, above: str, meaning: Meaning | None
) -> None:
    assert head_of(title, above).meaning is meaning


@pytest.mark.parametrize(
    ("title", "meaning"),
    [
        ("オーナー氏名", M.PASSED_OVER),
        ("前契約者名", M.PASSED_OVER),
        ("改定後賃料", None),
        ("賃料（改定後）", None),
        ("賃料（税込）", M.RENT),
        ("返還敷金", None),
        ("在留期限", M.PASSED_OVER),
        ("保証契約終了日", None),
        ("契約終了日", M.END),
        ("Room 部屋", M.ROOM),
        ("New rent 家賃", None),
        ("Marital status", None),
        ("（内）共益費", M.INCLUDED),
        ("状態(1:契約中)", M.STATUS),
    ],
)
def test_a_heading_counts_only_as_a_whole(title: str, meaning: Meaning | None) -> None:
    assert head_of(title).meaning is meaning


@pytest.mark.parametrize(
    ("title", "above", "factor"),
    [("賃料（万円）", "", 10_000), ("金額", "賃料（千円）", 1_000), ("賃料（円）", "", 1)],
)
def test_a_head_says_in_what_its_amounts_are(title: str, above: str, factor: int) -> None:
    assert head_of(title, above).factor == factor


def test_a_head_says_what_else_its_cells_hold() -> None:
    assert head_of("氏名（フリガナ）").has_reading
    assert not head_of("氏名").has_reading
    assert not head_of("号室（読み）").has_reading
    assert head_of("家賃（共益費込）").includes_common_fee
    assert not head_of("家賃").includes_common_fee
    assert not head_of("敷金（税込）").includes_common_fee


@pytest.mark.parametrize(
    ("title", "month"),
    [
        ("11月", (None, 11)),
        ("9 月", (None, 9)),
        ("2025年11月分", (2025, 11)),
        ("令和7年11月", (2025, 11)),
        ("2025/11", (2025, 11)),
        ("Nov", (None, 11)),
        ("Nov 2025", (2025, 11)),
        ("Nov '25", (2025, 11)),
        ("Market rent", None),
        ("13月", None),
    ],
)
def test_a_column_may_be_of_one_month(title: str, month: tuple[int | None, int] | None) -> None:
    assert head_of(title).month == month
    assert (head_of(title).meaning is Meaning.MONTH) is (month is not None)


@pytest.mark.parametrize(
    ("row", "is_head"),
    [
        (["号室", "氏名", "賃料"], True),
        (["号室", "賃料"], False),
        (["号室", "氏名", "備考"], False),
        (["氏名", "賃料", "敷金"], False),
        (["号室", "氏名", "賃料", "101"], False),
        (["号室", "氏名", "賃料", "階："], True),
        (["号室", "氏名", "賃料", "2025年11月"], True),
    ],
)
def test_a_row_of_heads_has_a_room_and_money_and_no_data(row: list[str], is_head: bool) -> None:
    assert (heads_of(row) is not None) is is_head


def test_what_somebody_said_of_a_column_goes_before_its_words() -> None:
    found = heads_of(["号室", "氏名", "賃料", "11 月"], chosen={"11月": M.NOTE})
    assert found is not None
    assert (found[3].meaning, found[3].month) == (M.NOTE, None)
    row = ["号室", "氏名", "賃料", "（敷引）", ""]
    assert meanings(heads_of(row, chosen={"": M.NOTE}))[3:] == [M.NOTE, None]


def test_heads_may_stand_in_two_lines() -> None:
    upper = ["号室", "氏名", "賃料", "滞納", "", "", "", "11月"]
    lower = ["", "", "（円）", "金額", "月", "", "月"]
    lines = [M.ROOM, M.NAME, M.RENT, M.UNPAID, M.UNPAID_DETAIL, None, None, M.MONTH]
    assert meanings(heads_of(upper, lower)) == lines
    assert meanings(heads_of(["号室", "氏名"], ["", "", "賃料", "敷金"])) == [
        M.ROOM,
        M.NAME,
        M.RENT,
        M.DEPOSIT,
    ]


@pytest.mark.parametrize(
    ("row", "is_lower"),
    [
        (["", "金額", "内訳"], True),
        (["始", "終"], True),
        (["号室", "額"], True),
        (["（円）", "", "氏名"], True),
        (["金額"], False),
        (["号室", "氏名", "賃料", "桐"], True),
        (["号室", "氏名", "桐"], False),
        (["号室", "氏名", "賃料", "101"], False),
    ],
)
def test_the_lower_line_of_a_head_holds_heads_and_units(row: list[str], is_lower: bool) -> None:
    assert is_lower_line(row) is is_lower


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (["No", "号室", "氏名", "賃料"], [M.PASSED_OVER, M.ROOM, M.NAME, M.RENT]),
        (["No", "氏名", "賃料"], [M.ROOM, M.NAME, M.RENT]),
        (["号室", "氏名", "氏名（カナ）", "賃料"], [M.ROOM, M.NAME, M.KANA, M.RENT]),
        (["号室", "氏名", "氏名フリガナ", "賃料"], [M.ROOM, M.NAME, M.KANA, M.RENT]),
        (["号室", "フリガナ", "賃料"], [M.ROOM, M.KANA, M.RENT]),
        (["号室", "氏名フリガナ", "賃料"], [M.ROOM, M.NAME, M.RENT]),
    ],
)
def test_columns_beside_each_other_share_what_they_mean(
    row: list[str], expected: list[Meaning]
) -> None:
    assert meanings(heads_of(row)) == expected


def test_a_name_by_its_reading_alone_holds_both() -> None:
    found = heads_of(["号室", "氏名フリガナ", "賃料"])
    assert found is not None
    assert found[1].has_reading
