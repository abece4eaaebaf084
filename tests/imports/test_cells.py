"""Cells as Japanese offices fill them in, and cells of any text at all."""

import unicodedata
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.arrivals.sheets import cells, oddities
from pms.arrivals.sheets import cells as figures
from pms.foundation.spreadsheet import harmless
from pms.sheets.refusals import Unreadable

ANY_TEXT = st.text(max_size=60)
READERS: list[Callable[[str], object]] = [
    cells.text,
    cells.remark,
    cells.kana,
    cells.room,
    cells.email,
    cells.phone,
    cells.names,
    oddities.read_day,
    figures.amount,
    figures.floor,
    figures.size_centi_sqm,
    lambda cell: figures.whole_number(cell, 0, 50),
    lambda cell: cells.choice(cell, ["apartment", "sharehouse"]),
]


@given(ANY_TEXT)
def test_no_text_whatever_makes_a_reader_fail(text: str) -> None:
    for reader in READERS:
        try:
            reader(text)
        except Unreadable as refusal:
            assert refusal.reason.say("ja", "列", text)
            assert refusal.reason.say("en", "column", text)


@pytest.mark.parametrize(
    "written",
    [
        "2025/4/1",
        "2025-04-01",
        "2025.4.1",
        "2025年4月1日",
        "R7.4.1",
        "r7.4.1",
        "R7/4/1",
        "R07.04.01",
        "令和7年4月1日",
        "平成37年4月1日",
        "２０２５／４／１",
        "Ｒ７．４．１",
        "　2025/4/1　",
        "2025/4/1 0:00",
        "2025-04-01T00:00:00",
    ],
)
def test_the_first_of_april_2025_is_read_however_it_is_written(written: str) -> None:
    assert oddities.read_day(written) == date(2025, 4, 1)


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("令和元年5月1日", date(2019, 5, 1)),
        ("R1.5.1", date(2019, 5, 1)),
        ("H30.10.1", date(2018, 10, 1)),
        ("H31.4.30", date(2019, 4, 30)),
        ("S64.1.7", date(1989, 1, 7)),
        ("昭和50年12月31日", date(1975, 12, 31)),
        ("2028/2/29", date(2028, 2, 29)),
        ("", None),
        ("　", None),
    ],
)
def test_eras_and_leap_days_are_read(written: str, day: date | None) -> None:
    assert oddities.read_day(written) == day


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("25/4/1", "two_digit_year"),
        ("元年5月1日", "two_digit_year"),
        ("2026/2/30", "no_such_day"),
        ("2027/2/29", "no_such_day"),
        ("R8.13.1", "no_such_day"),
        ("令和元年1月1日", "no_such_day"),
        ("R0.5.1", "no_such_day"),
        ("自動更新", "not_a_date"),
        ("2026/4", "not_a_date"),
        ("2026/4-1", "not_a_date"),
        ("2026年4/1", "not_a_date"),
        ("20260401", "not_a_date"),
        ("45748", "not_a_date"),
        ("2026/4/1 9:30", "not_a_date"),
        ("٢٠٢٥/4/1", "not_a_date"),
        ("1899/12/31", "day_out_of_range"),
        ("2201/1/1", "day_out_of_range"),
        ("M1.10.23", "day_out_of_range"),
    ],
)
def test_a_day_that_is_none_or_not_clear_is_refused(written: str, code: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        oddities.read_day(written)
    assert refusal.value.reason.code == code


@given(st.dates(date(1900, 1, 1), date(2200, 12, 31)), st.sampled_from("-/."))
def test_every_day_written_is_read_again(day: date, join: str) -> None:
    assert oddities.read_day(f"{day.year:04}{join}{day.month}{join}{day.day:02}") == day
    assert oddities.read_day(f"{day.year}年{day.month}月{day.day}日") == day


@given(st.dates(date(2019, 5, 1), date(2117, 12, 31)))
def test_every_day_of_reiwa_written_is_read_again(day: date) -> None:
    assert oddities.read_day(f"R{day.year - 2018}.{day.month}.{day.day}") == day


@pytest.mark.parametrize(
    ("written", "yen"),
    [
        ("44,000", 44000),
        ("44000", 44000),
        ("４４，０００", 44000),
        (" 44,000 ", 44000),
        ("　44,000", 44000),
        ("0", 0),
        ("", None),
        ("-", None),
        ("－", None),
        ("―", None),
        ("なし", None),
    ],
)
def test_an_amount_is_read(written: str, yen: int | None) -> None:
    assert figures.amount(written) == yen


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("48000.50", "amount_with_decimals"),
        ("48000.", "amount_with_decimals"),
        ("¥44,000", "amount_with_currency"),
        ("￥44,000", "amount_with_currency"),
        ("\\44,000", "amount_with_currency"),
        ("44,000円", "amount_with_currency"),
        ("44000JPY", "amount_with_currency"),
        ("9,5000", "amount_with_misplaced_comma"),
        ("44,00", "amount_with_misplaced_comma"),
        ("-1000", "amount_with_sign"),
        ("▲3,000", "amount_with_sign"),
        ("△3,000", "amount_with_sign"),
        ("＋3,000", "amount_with_sign"),
        ("#REF!", "spreadsheet_error"),
        ("#N/A", "spreadsheet_error"),
        ("####", "spreadsheet_error"),
        ("5万", "not_an_amount"),
        ("①000", "not_an_amount"),
        ("4 4000", "not_an_amount"),
        ("٤٤٠٠٠", "not_an_amount"),
        ("1_000", "not_an_amount"),
        ("1000000000", "amount_too_large"),
        ("9" * 40, "amount_too_large"),
    ],
)
def test_an_amount_that_is_none_is_refused(written: str, code: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        figures.amount(written)
    assert refusal.value.reason.code == code


@given(st.integers(0, figures.MOST_YEN))
def test_every_amount_written_is_read_again(yen: int) -> None:
    full_width = f"{yen:,}".translate({code: chr(code + 0xFEE0) for code in range(0x21, 0x7F)})
    assert figures.amount(str(yen)) == figures.amount(f"{yen:,}") == yen
    assert figures.amount(full_width) == yen


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("ｿﾈ ｻｸﾗ", "ソネ サクラ"),
        ("たまむろ つむぎ", "タマムロ ツムギ"),
        ("ｶﾞｷﾞｸﾞ", "ガギグ"),
        (" ツジ　ミドリ　", "ツジ　ミドリ"),
        ("リンドクヴィスト マリト", "リンドクヴィスト マリト"),
        ("", None),
    ],
)
def test_a_reading_becomes_full_width_katakana(written: str, read: str | None) -> None:
    assert cells.kana(written) == read


@pytest.mark.parametrize(
    "written", ["㈱みどり製作所", "①駐輪場", "髙橋", "山﨑", "𠮷田", "コーポⅢ"]
)
def test_letters_outside_the_common_set_stay_as_they_are_written(written: str) -> None:
    assert cells.text(written) == written


@given(ANY_TEXT)
def test_text_that_is_taken_is_trimmed_and_composed(written: str) -> None:
    try:
        read = cells.text(written)
    except Unreadable:
        return
    assert read is None or (read == read.strip() and unicodedata.is_normalized("NFC", read))


@pytest.mark.parametrize(
    ("written", "room"),
    [
        ("１０２号室", "102"),
        ("Ａ－２０２", "A-202"),
        ("①", "1"),
        ("②号室", "2"),
        (" 301 ", "301"),
        ("House 1", "House 1"),
    ],
)
def test_a_room_is_stored_plainly(written: str, room: str) -> None:
    assert cells.room(written) == room


@pytest.mark.parametrize("written", ["1月2日", "2026/1/3", "2026-01-02", "TRUE", "＃N/A", "2-Jan"])
def test_a_room_that_a_spreadsheet_changed_is_refused(written: str) -> None:
    with pytest.raises(Unreadable):
        cells.room(written)


@pytest.mark.parametrize("written", ["#N/A", "#REF!", "####"])
def test_an_error_of_the_spreadsheet_is_no_text(written: str) -> None:
    with pytest.raises(Unreadable, match="broken_cell"):
        cells.text(written)
    assert cells.text("#12") == "#12"


@pytest.mark.parametrize(
    ("written", "email"),
    [
        ("ｓａｋｕｒａ．ｓａｔｏ１３＠ｅｘａｍｐｌｅ．ｊｐ", "sakura.sato13@example.jp"),
        ("  SHIZUKA@EXAMPLE.JP ", "SHIZUKA@EXAMPLE.JP"),
        ("\u00a0ilka.p15@example.com\u00a0", "ilka.p15@example.com"),
        ("o'brannigan+x@mail.example.co.jp", "o'brannigan+x@mail.example.co.jp"),
        ("", None),
        ("-", None),
        ("なし", None),
    ],
)
def test_an_address_is_read(written: str, email: str | None) -> None:
    assert cells.email(written) == email


@pytest.mark.parametrize(
    "written",
    [
        "a@@example.jp",
        "row84 at example.com",
        "a@b",
        "a b@example.jp",
        "a@example..jp",
        "花@例.jp",
        "@example.jp",
        "a@example",
        f"{'a' * 250}@example.jp",
        "a@example.jp,b@example.jp",
    ],
)
def test_an_address_that_is_none_is_refused(written: str) -> None:
    with pytest.raises(Unreadable):
        cells.email(written)


def test_a_telephone_number_is_text_and_a_lost_zero_is_noticed() -> None:
    assert cells.phone("０７０－００１７－７５４８") == "070-0017-7548"
    assert cells.phone("090ー0017ー7548") == "090-0017-7548"
    assert cells.has_lost_its_zero(cells.phone("9000113765"))
    assert not cells.has_lost_its_zero(cells.phone("090-0011-3765"))


def test_sizes_floors_and_whole_numbers_are_read() -> None:
    assert figures.size_centi_sqm("31.64㎡") == 3164
    assert figures.size_centi_sqm("9") == 900
    assert figures.size_centi_sqm("-") is None
    assert [figures.floor(cell) for cell in ("2", "2F", "２階", "B1", "-1", "")] == [
        2,
        2,
        2,
        -1,
        -1,
        None,
    ]
    assert figures.whole_number("１２", 0, 50) == 12


@given(ANY_TEXT)
def test_what_is_made_harmless_is_no_formula_and_reads_as_it_was(written: str) -> None:
    safe = harmless(written)
    assert not safe.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n"))
    if not figures.trim(written).startswith("'"):
        assert figures.trim(safe) == figures.trim(written) or written[:1].isspace()


def test_a_remark_keeps_its_line_breaks_and_refuses_what_no_sheet_holds() -> None:
    assert cells.remark("連絡先：\r\n  母\r勤務先\n") == "連絡先：\n  母\n勤務先"
    with pytest.raises(Unreadable):
        cells.text("bell\x07")
    with pytest.raises(Unreadable):
        cells.text("長" * 201)
