"""What one cell of a rent roll says: money, days, terms, rooms, people and telephone numbers."""

from datetime import date
from decimal import Decimal

import pytest

from pms.rules.roll_cells import (
    Money,
    Stated,
    deposit_money,
    is_company,
    money,
    people_in,
    read_room,
    reading,
    telephone,
)
from pms.rules.roll_dates import day_order, days_in, term_in, whole_day, whole_month
from pms.rules.roll_heads import DayOrder

NOTHING = Money(Stated.NOTHING)


def months(number: str) -> Money:
    return Money(Stated.MONTHS, months=Decimal(number))


def test_ten_thousands_thousands_and_the_rest_add_up() -> None:
    assert money("5万5千300円") == Money(Stated.COUNTED, 55_300)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("55000", Money(Stated.YEN, 55_000)),
        ("110,000 / 55,000", Money(Stated.YEN, 110_000)),
        ("敷 1 / 礼 1", months("1")),
        ("敷1.5 礼1", months("1.5")),
        ("敷なし 礼1", NOTHING),
        ("敷-/礼1", NOTHING),
        ("0", Money(Stated.YEN)),
        ("12", months("12")),
        ("13", Money(Stated.YEN, 13)),
        ("応相談", Money(Stated.WORD)),
        ("1ヶ月/100,000", months("1")),
        ("100,000/1ヶ月", Money(Stated.YEN, 100_000)),
        ("1ヶ月(100,000円)", Money(Stated.YEN, 100_000)),
    ],
)
def test_a_deposit_is_an_amount_or_some_months(cell: str, value: Money) -> None:
    assert deposit_money(cell) == value


def test_a_deposit_in_ten_thousands_is_never_in_months() -> None:
    assert deposit_money("11", 10_000) == Money(Stated.YEN, 110_000)


@pytest.mark.parametrize(
    ("text", "near", "day"),
    [
        ("12/25", date(2026, 1, 10), date(2025, 12, 25)),
        ("1月5日", date(2026, 12, 20), date(2027, 1, 5)),
        ("2月末", date(2026, 1, 10), date(2026, 2, 28)),
        ("2/30", date(2026, 1, 10), None),
    ],
)
def test_a_day_without_a_year_is_the_nearest(text: str, near: date, day: date | None) -> None:
    assert next((found.day for found in days_in(text, near)), None) == day


def test_a_month_may_come_out_of_a_spreadsheet_as_a_number() -> None:
    assert whole_month("202612.0") == date(2026, 12, 1)
    assert whole_month("2026年12月分まで") == date(2026, 12, 1)
    assert whole_month("Dec 2026") == date(2026, 12, 1)
    assert whole_month("Jan 2026") == date(2026, 1, 1)
    assert whole_month("12月") is None


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (("31/12/2026", "01/02/2026"), DayOrder.DAY_FIRST),
        (("12/31/2026", "01/02/2026"), DayOrder.MONTH_FIRST),
        (("13/12/2026",), DayOrder.DAY_FIRST),
        (("12/13/2026",), DayOrder.MONTH_FIRST),
        (("12/12/2026",), None),
        (("13/12/2026", "12/13/2026"), None),
        (("13/13/2026", "2026/12/31"), None),
    ],
)
def test_a_table_tells_the_order_of_its_days_by_the_cell_that_leaves_no_doubt(
    cells: tuple[str, ...], order: DayOrder | None
) -> None:
    assert day_order(cells) is order


@pytest.mark.parametrize(
    ("cell", "order", "day"),
    [
        ("02/03/2026", DayOrder.MONTH_FIRST, date(2026, 2, 3)),
        ("02/03/2026", DayOrder.DAY_FIRST, date(2026, 3, 2)),
        ("02/03/2026", None, None),
        ("03/03/2026", None, date(2026, 3, 3)),
        ("02.03.2026", None, date(2026, 3, 2)),
    ],
)
def test_a_day_with_its_year_last_is_read_in_the_order_of_its_table(
    cell: str, order: DayOrder | None, day: date | None
) -> None:
    assert whole_day(cell, order) == day


BEGIN, END = date(2025, 4, 1), date(2027, 3, 31)


@pytest.mark.parametrize(
    ("cell", "term"),
    [
        ("45748～46477", (BEGIN, END)),
        ("45748～", (BEGIN, None)),
        ("2025/4/1～2027/3/31", (BEGIN, END)),
        ("自 2025/4/1 至 2027/3/31", (BEGIN, END)),
        ("2025/4/1から2年間", (BEGIN, END)),
        ("2025/4/1～3/31", (BEGIN, date(2026, 3, 31))),
        ("2025/4/1～10/15", (BEGIN, date(2025, 10, 15))),
        ("2025/4/1", (BEGIN, None)),
        ("明治32年12月30日", (date(1899, 12, 30), None)),
        ("契約は2025/4/1", None),
        ("4/1～3/31", None),
        ("2年間", None),
    ],
)
def test_a_term_in_one_cell_begins_on_a_day_with_its_year(
    cell: str, term: tuple[date, date | None] | None
) -> None:
    assert term_in(cell) == term


def test_a_room_is_told_without_the_word_for_it() -> None:
    assert [read_room(cell) for cell in ("101.0", "１０１ 号室", "A棟 2号")] == [
        "101",
        "101",
        "A棟 2",
    ]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("やまだ  たろう", "ヤマダ タロウ"),
        ("ぁゖ", "ァヶ"),
        ("Yamada", "Yamada"),
        ("なし", None),
    ],
)
def test_a_reading_is_told_in_katakana(cell: str, value: str | None) -> None:
    assert reading(cell) == value


@pytest.mark.parametrize(
    ("cell", "people"),
    [
        ("ヤマダ タロウ", [("ヤマダ タロウ", None)]),
        ("山田 タロウ 一", [("山田 タロウ 一", None)]),
        ("谷口 ミノリ", [("谷口 ミノリ", None)]),
        ("谷口 マリアンヌ", [("谷口 マリアンヌ", None)]),
        ("山田一 ハジメノ", [("山田一 ハジメノ", None)]),
        ("林田一 ハヤシハナ", [("林田一", "ハヤシハナ")]),
        ("山田 一 ヤマダ ハジメ", [("山田 一", "ヤマダ ハジメ")]),
        ("山田  一　様", [("山田 一", None)]),
        ("（仮）山田 一", [("山田 一", None)]),
        ("山田 一 他2名", [("山田 一", None)]),
        ("山田、佐藤", [("山田", None), ("佐藤", None)]),
        ("John Smith & Mary Jones", [("John Smith", None), ("Mary Jones", None)]),
        ("Smith, John", [("Smith, John", None)]),
        ("van Dyke, John", [("van Dyke, John", None)]),
        ("株式会社山田・佐藤", [("株式会社山田・佐藤", None)]),
        ("ア" * 199 + "様", [("ア" * 199, None)]),
        ("ア" * 200 + "様", [("ア" * 200 + "様", None)]),
    ],
)
def test_people_are_told_apart_with_their_readings(
    cell: str, people: list[tuple[str, str | None]]
) -> None:
    assert [(one.name, one.kana) for one in people_in(cell)] == people


def test_a_firm_is_told_by_its_form_and_a_text_too_long_for_a_name_is_none() -> None:
    assert [is_company(name) for name in ("㈱ミナモ", "㈲ミナモ", "Minamo Inc.", "山田 一")] == [
        True,
        True,
        True,
        False,
    ]
    (found,) = people_in("株式会社" + "ア" * 200)
    assert not found.is_company


@pytest.mark.parametrize(
    ("cell", "number", "lost"),
    [
        ("09012345678", "090-1234-5678", False),
        ("090 1234 5678", "090-1234-5678", False),
        ("9012345678.0", "090-1234-5678", True),
        ("312345678", "0312345678", True),
        ("03-1234-5678", "03-1234-5678", False),
        ("なし", None, False),
    ],
)
def test_a_telephone_number_gets_back_the_0_a_spreadsheet_took(
    cell: str, number: str | None, lost: bool
) -> None:
    assert telephone(cell) == (number, lost)
