"""A transfer is its day, direction, amount, payer and count, however a file writes it."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from pms.rules.bank_identity import (
    ComparedRows,
    KnownTransfer,
    compare_rows,
    free_key,
    is_mostly_known,
    payer_identity,
    transfer_keys,
)
from pms.rules.bank_statements import BankRow, MoneyMove

DAY = date(2026, 11, 20)


def row(payer: str, yen: int = 70_000, line: int = 2, day: int = 20, **facts: Any) -> BankRow:
    made = BankRow(
        line, "", date(2026, 11, day), yen > 0, MoneyMove.TRANSFER, abs(yen), payer, text="振込"
    )
    return replace(made, **facts)


def known(*rows: BankRow, imported: str = "first") -> list[KnownTransfer]:
    return [
        KnownTransfer(
            f"{imported}{place}",
            imported,
            (key,),
            one.booked_on,
            one.is_deposit,
            one.move,
            one.yen,
            one.payer,
            one.text,
        )
        for place, (key, one) in enumerate(zip(transfer_keys(rows), rows, strict=True))
    ]


def counts(found: ComparedRows) -> tuple[int, int, int]:
    return len(found.new), len(found.same), len(found.doubtful)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("振込＊ヤマダ　タロウ", "ヤマダタロウ"),
        ("ﾔﾏﾀﾞ ﾀﾛｳ", "ヤマダタロウ"),
        ("フリコミ　ヤマダ　タロウ", "ヤマダタロウ"),
        ("ヤマタ゛　タロウ", "ヤマダタロウ"),
        ("振込１ ヤマダタロウ", "ヤマダタロウ"),
        ("ｼﾞｮﾝｿﾝ ﾙ-ｼ-", "ジヨンソンルシ"),
        ("ジヨンソン　ル－シ－", "ジヨンソンルシ"),
        ("Ｊｏｈｎ・Ｓｍｉｔｈ", "JOHNSMITH"),
        ("ｶ)ﾐﾄﾞﾘ", "ミドリ"),
        ("カ）ミドリ", "ミドリ"),
        ("７３１９６４ホアン　タイン", "731964ホアンタイン"),
        ("振込", ""),
        ("", ""),
    ],
)
def test_a_payer_has_one_spelling_in_all_forms_of_a_file(text: str, wanted: str) -> None:
    assert payer_identity(text) == wanted


def test_balance_wording_number_and_order_are_no_part_of_a_transfer() -> None:
    first = [row("ヤマダ", balance_yen=1), row("サトウ", 65_000, balance_yen=2), row("ヤマダ")]
    again = [
        row("ｻﾄｳ", 65_000, number="9", balance_yen=7),
        row("振込＊ヤマダ", text="入金"),
        row("ﾔﾏﾀﾞ", line=9),
    ]
    assert sorted(transfer_keys(first)) == sorted(transfer_keys(again))
    assert counts(compare_rows(again, known(*first))) == (0, 3, 0)


def test_equal_transfers_of_a_day_are_counted() -> None:
    found = compare_rows([row("ヤマダ"), row("ヤマダ", line=3)], known(row("ヤマダ")))
    assert [one.line for _, one in found.new] == [3]
    assert found.new[0][0].endswith("|2")
    assert free_key("a|1", {"a|1", "a|2"}) == "a|3"


@pytest.mark.parametrize(
    "other",
    [
        "サトウ",  # cut off
        "サトウ ハナコ 101",  # with a room
    ],
)
def test_a_name_that_was_cut_or_has_more_words_is_the_same_transfer(other: str) -> None:
    assert counts(compare_rows([row(other)], known(row("サトウ ハナコ")))) == (0, 1, 0)


def test_a_name_cut_in_the_other_file_is_not_taken_for_a_namesake_that_both_have() -> None:
    both = known(row("サトウ"), row("サトウ ハナコ"))
    found = compare_rows([row("サトウ"), row("サトウ ハナコ", line=3)], both)
    assert counts(found) == (0, 2, 0)
    found = compare_rows([row("サトウ"), row("サトウ ハナコ", line=3)], both[:1])
    assert [one.payer for _, one in found.new] == ["サトウ ハナコ"]


def test_a_file_without_names_is_the_same_by_day_and_amount_and_a_further_one_is_new() -> None:
    named = known(row("ヤマダ"), row("サトウ"))
    nameless = [row("", line=place) for place in (2, 3, 4)]
    assert counts(compare_rows(nameless[:2], named)) == (0, 2, 0)
    assert counts(compare_rows(nameless, named)) == (1, 2, 0)
    assert counts(compare_rows([row("ヤマダ")], known(*nameless[:1]))) == (0, 1, 0)


def test_a_row_without_a_name_among_rows_with_names_is_asked_about() -> None:
    cash = row("", move=MoneyMove.CASH, text="ATM")
    found = compare_rows([row("ヤマダ")], known(cash, row("サトウ", 1)))
    assert counts(found) == (0, 0, 1)
    assert counts(compare_rows([replace(cash, payer="ATM")], known(cash))) == (0, 1, 0)


def test_another_name_on_the_day_or_the_name_on_another_day_is_asked_about() -> None:
    found = compare_rows([row("山田 太郎")], known(row("ヤマダ タロウ")))
    assert [one.known.payer for one in found.doubtful] == ["ヤマダ タロウ"]
    listed = [row("ヤマダ", day=24), row("スズキ", 9, day=19)]
    moved = compare_rows(listed, known(row("ヤマダ", day=21), row("スズキ", 9, day=19)))
    assert counts(moved) == (0, 1, 1)
    # A transfer of a day that the file does not cover says nothing about its rows.
    assert counts(compare_rows(listed[:1], known(row("ヤマダ", day=21)))) == (1, 0, 0)


def test_money_out_of_one_day_and_amount_is_one_whatever_it_is_called() -> None:
    found = compare_rows([row("デンキ", -880)], known(row("", -880), row("", 880)))
    assert counts(found) == (0, 1, 0)


def test_a_transfer_said_to_be_known_is_known_by_both_names() -> None:
    (transfer,) = known(row("ヤマダ タロウ"))
    (other,) = transfer_keys([row("山田 太郎")])
    both = [transfer._replace(keys=(*transfer.keys, other))]
    assert counts(compare_rows([row("山田 太郎")], both)) == (0, 1, 0)
    found = compare_rows([row("山田 太郎"), row("ヤマダ タロウ", line=3)], both)
    assert [key[-2:] for key, _ in found.new] == ["|2"]


def test_a_file_is_mostly_known_by_its_payments() -> None:
    rows = [row("ヤマダ"), row("サトウ", line=3), row("スズキ", line=4)]
    assert is_mostly_known(rows, compare_rows(rows, known(*rows[:2])))
    assert not is_mostly_known(rows, compare_rows(rows, known(*rows[:1])))
    interest = [row("", 1, move=MoneyMove.INTEREST)]
    assert not is_mostly_known(interest, compare_rows(interest, known(*interest)))
