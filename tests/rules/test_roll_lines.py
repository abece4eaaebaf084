"""The lines of a rent roll that are no rooms, and what its titles say of the whole."""

from collections.abc import Sequence
from datetime import date

import pytest

from pms.rules.roll_line_kinds import (
    begins_vacant,
    is_count,
    is_floor,
    is_owner_use,
    is_parking,
    is_total,
    is_vacant,
    kind_of_total,
)
from pms.rules.roll_lines import (
    DueRule,
    Facts,
    RollSection,
    facts_of,
    heading_of,
    nearest_month,
    section_of,
)

TODAY = date(2026, 11, 20)


def titled(*titles: str, sheet: str = "Sheet1", near: date = TODAY) -> Facts:
    return facts_of([(title, "") for title in titles], sheet, near)


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["小 計"], True),
        (["", "合計 3室", "180,000"], True),
        (["50,000", "¥60,000", "合計"], True),
        (["1", "2", "3", "合計"], False),
        (["コーポ桐", "山田 一", "合計"], False),
        (["家計"], False),
        (["あ" * 37 + "合計"], True),
        (["あ" * 38 + "合計"], False),
    ],
)
def test_a_total_says_so_in_one_of_its_first_words(cells: Sequence[str], found: bool) -> None:
    assert is_total(cells) is found


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["合計", "2室", "98,000", "小計を含む"], "total"),
        (["小 計"], "building subtotal"),
        (["", "", "", "小計"], "building subtotal"),
        (["1F", "小計"], "floor subtotal"),
        (["小計（2階）"], "floor subtotal"),
    ],
)
def test_a_total_is_of_a_floor_a_building_or_everything(cells: Sequence[str], kind: str) -> None:
    assert kind_of_total(cells) == kind


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["", "2 階"], True),
        (["1F"], True),
        (["地下1階"], True),
        (["2F", "101"], False),
        (["101"], False),
        ([], False),
    ],
)
def test_a_floor_is_all_that_its_line_says(cells: Sequence[str], found: bool) -> None:
    assert is_floor(cells) is found


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["", "入居 3室／空室 1室"], True),
        (["全4室", "11月分"], True),
        (["101", "空室1室"], False),
        (["", ""], False),
    ],
)
def test_a_line_that_counts_rooms_begins_with_the_count(cells: Sequence[str], found: bool) -> None:
    assert is_count(cells) is found


def test_a_name_may_say_that_nobody_rents_the_room() -> None:
    assert (is_vacant("空 室"), is_vacant("空室山 一")) == (True, False)
    assert (begins_vacant("空 室（11月から）"), begins_vacant("山田 空")) == (True, False)
    assert (is_owner_use("オーナー使用"), is_owner_use("大家 一")) == (True, False)
    assert (is_parking("駐車場 2"), is_parking("201")) == (True, False)


@pytest.mark.parametrize(
    ("line", "house"),
    [
        ("■ コーポ桐", "コーポ桐"),
        ("物件名：コーポ桐", "コーポ桐"),
        ("建物名 = コーポ 桐", "コーポ 桐"),
        ("コーポ桐（4室）", "コーポ桐"),
        ("コーポ桐 2026年11月分", "コーポ桐"),
        ("コーポ桐　入居者一覧", "コーポ桐"),
        ("コーポ桐入居者一覧", "コーポ桐"),
        ("ア" * 40, "ア" * 40),
        ("ア" * 41, None),
        ("コーポ桐\n4室", None),
        ("※敷金は預り金", None),
        ("コーポ桐 11/20", None),
        ("コーポ桐 2/29", None),
        ("コーポ桐 合計", None),
        ("月次報告", None),
        ("入居者一覧リスト", None),
        ("桐不動産", None),
    ],
)
def test_words_alone_on_a_line_may_name_a_house(line: str, house: str | None) -> None:
    assert heading_of(["", line]) == house


def test_words_beside_other_words_name_no_house() -> None:
    assert heading_of(["コーポ桐", "4室"]) is None
    assert heading_of([]) is None


@pytest.mark.parametrize(
    ("month", "near", "nearest"),
    [
        (12, date(2026, 1, 10), date(2025, 12, 1)),
        (1, date(2026, 12, 20), date(2027, 1, 1)),
        (5, date(2026, 11, 14), date(2026, 5, 1)),
        (5, date(2026, 11, 15), date(2027, 5, 1)),
    ],
)
def test_a_month_without_a_year_is_the_nearest(month: int, near: date, nearest: date) -> None:
    assert nearest_month(month, near) == nearest


@pytest.mark.parametrize(
    ("title", "as_of"),
    [
        ("2026年11月20日現在", date(2026, 11, 20)),
        ("作成日：2026/11/18", date(2026, 11, 18)),
        ("2026年10月末現在", date(2026, 10, 31)),
        ("令和8年10月末時点", date(2026, 10, 31)),
        ("2026年11月20日 集金", None),
        ("2026年10月現在", date(2026, 10, 31)),
        ("10月現在", None),
    ],
)
def test_a_title_says_of_which_day_the_list_is(title: str, as_of: date | None) -> None:
    assert titled(title).as_of == as_of


@pytest.mark.parametrize(
    ("title", "through"),
    [
        ("10月分まで請求済", date(2026, 10, 31)),
        ("2025年10月分まで請求済", date(2025, 10, 31)),
        ("令和7年10月分まで請求済", date(2025, 10, 31)),
        ("2026年11月20日まで請求済", date(2026, 11, 20)),
        ("Billed through Oct", date(2026, 10, 31)),
        ("Invoiced through October 2025", date(2025, 10, 31)),
        ("invoiced to the last contract", None),
        ("10月分の請求は未定", None),
    ],
)
def test_a_title_says_how_far_rent_is_billed_and_names_no_house(
    title: str, through: date | None
) -> None:
    assert titled(title).billed_through == through
    assert through is None or titled(title).building is None


def test_a_month_of_a_title_is_the_nearest_to_the_day_of_the_list() -> None:
    assert titled("2024年11月20日現在", "10月分まで請求済").billed_through == date(2024, 10, 31)


@pytest.mark.parametrize(
    ("title", "factor"),
    [
        ("単位：万円", 10_000),
        ("単位：千円", 1_000),
        ("Unit: 千円", 1_000),
        ("単位：円", 1),
        ("家賃 5万円から", 1),
    ],
)
def test_a_title_says_in_what_the_amounts_are(title: str, factor: int) -> None:
    assert titled(title).factor == factor


def test_what_one_title_says_of_the_amounts_a_later_one_leaves() -> None:
    assert titled("単位：千円", "単位：敷金は円").factor == 1_000


@pytest.mark.parametrize(
    ("title", "due"),
    [
        ("家賃は前月末日までに支払", DueRule(-1, None)),
        ("賃料は当月5日払い", DueRule(0, 5)),
        ("賃料は翌月10日振込", DueRule(1, 10)),
        ("家賃は当月分", None),
    ],
)
def test_a_title_says_when_rent_is_due_and_names_no_house(title: str, due: DueRule | None) -> None:
    assert titled(title).due == due
    assert due is None or titled(title).building is None


def test_rent_is_due_on_the_last_day_of_a_month_that_has_not_so_many() -> None:
    assert DueRule(1, 31).of_month(date(2026, 1, 31)) == date(2026, 2, 28)
    assert DueRule().of_month(date(2026, 3, 1)) == date(2026, 2, 28)
    assert DueRule(0, 5).of_month(date(2026, 3, 20)) == date(2026, 3, 5)


@pytest.mark.parametrize(
    ("sheet", "month"),
    [
        ("2025年11月", date(2025, 11, 1)),
        ("2025-11", date(2025, 11, 1)),
        ("R7.11", date(2025, 11, 1)),
        ("令和7年11月分", date(2025, 11, 1)),
        ("12月", date(2026, 12, 1)),
        ("12", None),
        ("Nov 2025", date(2025, 11, 1)),
        ("nov-25", date(2025, 11, 1)),
        ("February", date(2027, 2, 1)),
        ("コーポ桐", None),
    ],
)
def test_a_sheet_is_named_by_its_month(sheet: str, month: date | None) -> None:
    assert titled(sheet=sheet).month == month


@pytest.mark.parametrize(
    ("title", "month"),
    [
        ("コーポ桐 2025年11月分 入金管理表", date(2025, 11, 1)),
        ("コーポ桐 令和7年11月度 家賃", date(2025, 11, 1)),
        ("12月分家賃", date(2026, 12, 1)),
        ("2025年11月分 入居者", None),
        ("2025年11月 入金管理表", None),
        ("11月分まで請求済", None),
    ],
)
def test_a_title_names_the_month_of_its_money(title: str, month: date | None) -> None:
    assert titled(title).month == month


@pytest.mark.parametrize(
    ("titles", "sheet", "building"),
    [
        ([], "コーポ桐", "コーポ桐"),
        ([], "Sheet1", None),
        ([], "", None),
        ([], "2026年11月", None),
        ([], "Nov 2026", None),
        (["物件名：コーポ桐、4室"], "メゾン楠", "コーポ桐"),
        (["コーポ桐 入居者一覧", "2026年11月20日現在"], "桐", "桐"),
        (["コーポ桐 入居者一覧"], "メゾン楠", "コーポ桐"),
        (["■コーポ桐"], "Sheet1", "コーポ桐"),
        (["コーポ桐 2026年11月分まで請求済"], "Sheet1", "コーポ桐"),
        (["コーポ桐 11/20"], "Sheet1", None),
        (["台　帳"], "Sheet1", None),
        (["※敷金は預り金"], "Sheet1", None),
        (["ア" * 20], "Sheet1", "ア" * 20),
        (["ア" * 21], "Sheet1", None),
        (["ア" * 21 + " 入居者一覧"], "Sheet1", "ア" * 21),
        (["2026年11月20日現在", "単位：円", "コーポ桐"], "Sheet1", "コーポ桐"),
        (["2026年11月20日現在", "単位：円", "※敷金", "コーポ桐"], "Sheet1", None),
    ],
)
def test_the_house_is_named_by_a_title_or_by_the_sheet(
    titles: Sequence[str], sheet: str, building: str | None
) -> None:
    assert titled(*titles, sheet=sheet).building == building


@pytest.mark.parametrize(
    ("cell", "section"),
    [
        ("【退去者一覧】", RollSection.FORMER),
        ("■ 退去済み", RollSection.FORMER),
        ("コーポ菊 退去者リスト", RollSection.FORMER),
        ("過去の入居者（2020年以降）", RollSection.FORMER),
        ("解約一覧", RollSection.FORMER),
        ("解約済物件", RollSection.FORMER),
        ("退去者・解約者", RollSection.FORMER),
        ("退去済みの部屋", RollSection.FORMER),
        ("退去者一覧　令和8年11月末現在", RollSection.FORMER),
        ("Former tenants", RollSection.FORMER),
        ("駐車場の部", RollSection.PARKING),
        ("コーポ菊駐車場一覧表", RollSection.PARKING),
        ("駐車場・駐輪場", RollSection.PARKING),
        ("Parking spaces", RollSection.PARKING),
        ("入居者・退去者一覧", None),
        ("入居者 退去者一覧", None),
        ("解約済みは網掛け", None),
        ("住戸・駐車場一覧表", None),
        ("部屋と駐車場", None),
        ("Current and former tenants", None),
    ],
)
def test_only_a_heading_of_nothing_else_begins_a_section(
    cell: str, section: RollSection | None
) -> None:
    assert section_of(["", cell, ""]) is section


@pytest.mark.parametrize("title", ["入居者・退去者一覧", "解約済みは網掛け", "住戸・駐車場一覧表"])
def test_what_a_list_is_of_names_no_house(title: str) -> None:
    assert (heading_of([title]), titled(title).building) == (None, None)


@pytest.mark.parametrize(
    ("state", "found"),
    [
        ("空室", True),
        ("募集中", True),
        ("空室（予定なし）", True),
        ("空き予定", False),
        ("空室予定", False),
        ("空室（予定）", False),
    ],
)
def test_a_room_to_become_vacant_is_not_vacant_yet(state: str, found: bool) -> None:
    assert begins_vacant(state) is found
