"""What a rent roll says is unpaid, laid on its months, and what is left to ask."""

from collections.abc import Mapping
from datetime import date

import pytest

from pms.rules.roll_debts import (
    OPEN_DEBT,
    DebtQuestion,
    Debts,
    DebtWords,
    debt_of_word,
    debt_word,
    read_debts,
)
from pms.rules.roll_lines import DueRule

NOVEMBER, RENT = date(2026, 11, 1), 57_000
AS_OF, DUE = date(2026, 11, 20), DueRule()


def debts_of(
    cell: str,
    detail: str = "",
    remark: str = "",
    *,
    monthly: int = RENT,
    as_of: date = AS_OF,
    due: DueRule = DUE,
    end: date | None = None,
    charged: Mapping[date, int] | None = None,
) -> Debts:
    words = DebtWords(cell, detail, remark, monthly, NOVEMBER, as_of, due, end, charged)
    found = read_debts(words)
    assert found.total == sum(debt.yen for debt in found.found)
    assert len(found.found) == len({debt.what for debt in found.found})
    return found


def by_month(found: Debts) -> dict[str, int]:
    return {debt.what.removeprefix("rent 2026-"): debt.yen for debt in found.found}


def test_a_debt_is_named_in_either_language() -> None:
    assert debt_word("rent 2026-09") == "2026年9月分"
    assert (debt_word("repair"), debt_of_word("修繕費")) == ("修繕費", "repair")


@pytest.mark.parametrize(
    ("cell", "remark", "debts"),
    [
        ("1", "", {OPEN_DEBT: 1}),
        ("171000", "", {"09": RENT, "10": RENT, "11": RENT}),
        ("家賃2ヶ月", "", {"10": RENT, "11": RENT}),
        ("150000", "9月・10月・11月未納", {"09": 36_000, "10": RENT, "11": RENT}),
        ("180000", "9月・10月・11月未納", {"09": 66_000, "10": RENT, "11": RENT}),
        ("150000", "9月～11月未納", {"09": 36_000, "10": RENT, "11": RENT}),
        ("57000", "10月・11月未納", {"11": RENT}),
        ("57001", "10月・11月未納", {"10": 1, "11": RENT}),
        ("60000", "10月分残20000円、11月分未納", {"10": 20_000, "11": 40_000}),
        ("90000", "9月・10月分 20000円未納", {"09": 33_000, "10": RENT}),
        ("67000", "11月一部・10月未納", {"10": RENT, "11": 10_000}),
        ("57000", "9月遅れ、10月分未納", {"10": RENT}),
        ("", "9月分だけ遅延、10月分まだ", {"10": RENT}),
        ("", "先々月未納", {"09": RENT}),
        ("", "前月未納", {"10": RENT}),
        ("", "今月未納", {"11": RENT}),
        ("", "当月未納", {"11": RENT}),
        ("", "12月分未納", {"rent 2025-12": RENT}),
        ("", "9月～11月未納", {"09": RENT, "10": RENT, "11": RENT}),
        ("", "12月～1月未納", {"rent 2025-12": RENT, "01": RENT}),
        ("", "2026年10月未納（10月分）", {"10": RENT}),
        ("", "R8年10月未納（10月分）", {"10": RENT}),
        ("", "2025年6月未納", {"rent 2025-06": RENT}),
        ("", "R7年6月未納", {"rent 2025-06": RENT}),
        ("0", "10月分未納", {}),
        ("10月,11月", "", {"10": RENT, "11": RENT}),
        ("9,10,11月分", "", {"09": RENT, "10": RENT, "11": RENT}),
        ("", "9月,10月未納", {"09": RENT, "10": RENT}),
        ("10月 85,000,11月 5,000", "", {"10": 85_000, "11": 5_000}),
        ("85,000 10月分", "", {"10": 85_000}),
        ("9,000円 10月分", "", {"10": 9_000}),
    ],
)
def test_a_debt_is_laid_on_the_months_the_sheet_names(
    cell: str, remark: str, debts: dict[str, int]
) -> None:
    assert by_month(debts_of(cell, remark=remark)) == debts


@pytest.mark.parametrize(
    ("cell", "detail", "doubt"),
    [
        ("57000", "11月", None),
        ("50000", "11月", DebtQuestion.ONE_MONTH),
        ("57000", "11月一部", DebtQuestion.ONE_MONTH),
        ("57000", "", DebtQuestion.ONE_MONTH),
        ("57001", "", DebtQuestion.MONTHS_NOT_STATED),
        ("相談中", "", DebtQuestion.MONTHS_NOT_STATED),
        ("", "まだ", None),
        ("", "11月分まだ", DebtQuestion.REMARK_ALONE),
    ],
)
def test_what_is_not_certain_is_asked(cell: str, detail: str, doubt: DebtQuestion | None) -> None:
    assert debts_of(cell, detail).doubt is doubt


@pytest.mark.parametrize(
    ("cell", "detail", "remark", "doubt", "is_in_detail"),
    [
        ("114000", "", "", DebtQuestion.SO_MANY_MONTHS, False),
        ("100000", "2ヶ月分", "", DebtQuestion.SO_MANY_MONTHS, True),
        ("100000", "10月・11月", "", DebtQuestion.ONE_SUM_OF_SOME_MONTHS, True),
        ("100000", "", "10月・11月未納", DebtQuestion.MONTHS_OF_THE_REMARK, False),
    ],
)
def test_a_question_about_months_names_the_column_they_are_in(
    cell: str, detail: str, remark: str, doubt: DebtQuestion, is_in_detail: bool
) -> None:
    found = debts_of(cell, detail, remark)
    assert (found.doubt, found.is_in_detail) == (doubt, is_in_detail)


@pytest.mark.parametrize("detail", ["", "11月"])
def test_a_debt_that_falls_due_after_the_day_of_the_list_is_asked_about(detail: str) -> None:
    due = DueRule(0, 20)
    on_the_day = debts_of("57000", detail, due=due, as_of=date(2026, 11, 20))
    before = debts_of("57000", detail, due=due, as_of=date(2026, 11, 19))
    assert on_the_day.doubt is (None if detail else DebtQuestion.ONE_MONTH)
    assert before.doubt is DebtQuestion.NOT_YET_DUE


def test_without_a_rent_a_debt_is_of_no_month() -> None:
    assert by_month(debts_of("57000", monthly=0)) == {OPEN_DEBT: 57_000}


@pytest.mark.parametrize(
    ("total", "charged", "debts", "doubt"),
    [
        ("60000", {10: RENT, 11: 30_000}, {"10": 30_000, "11": 30_000}, DebtQuestion.OLDEST_FIRST),
        ("30000", {10: RENT, 11: 30_000}, {"11": 30_000}, None),
        ("30001", {10: RENT, 11: 30_000}, {"10": 1, "11": 30_000}, DebtQuestion.OLDEST_FIRST),
        ("57001", {11: RENT}, {OPEN_DEBT: 1, "11": RENT}, DebtQuestion.OLDEST_FIRST),
        (
            "70000",
            {9: RENT, 10: 0, 11: RENT},
            {"09": 13_000, "11": RENT},
            DebtQuestion.OLDEST_FIRST,
        ),
        ("70000", {9: RENT, 11: RENT}, {"10": 13_000, "11": RENT}, DebtQuestion.OLDEST_FIRST),
    ],
)
def test_a_balance_is_of_the_newest_months_that_were_charged(
    total: str, charged: dict[int, int], debts: dict[str, int], doubt: DebtQuestion | None
) -> None:
    found = debts_of(total, charged={date(2026, month, 1): yen for month, yen in charged.items()})
    assert (by_month(found), found.doubt) == (debts, doubt)


@pytest.mark.parametrize(
    ("detail", "remark", "what"),
    [
        ("更新料", "", "renewal fee"),
        ("", "未収は更新料", "renewal fee"),
        ("", "未納は鍵交換代", "key replacement"),
        ("", "更新料は受領、11月分未納", "rent 2026-11"),
    ],
)
def test_a_debt_may_be_of_something_else_than_rent(detail: str, remark: str, what: str) -> None:
    (debt,) = debts_of("57000", detail, remark).found
    assert debt.what == what


@pytest.mark.parametrize(
    ("end", "due_on"),
    [
        (None, date(2026, 10, 31)),
        (date(2026, 6, 30), date(2026, 5, 31)),
        (date(2027, 3, 31), date(2026, 10, 31)),
    ],
)
def test_a_renewal_fee_was_due_when_the_contract_ended_last(end: date | None, due_on: date) -> None:
    (debt,) = debts_of("57000", "更新料", end=end).found
    assert debt.due_on == due_on
