"""The layouts of accounting programs, as their makers describe them."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from pms.foundation.spreadsheet import Cell, csv_file, xlsx_file
from pms.rules.journal_files import NamedJournal, Program, Side, cut, half_width, parts, rows

NOVEMBER = date(2026, 11, 1)
BANK = Side("普通預金", "", "対象外", 300_000)
RENT = Side("賃料収入", "", "非課税売上", -200_000)._replace(yen=200_000)
DEPOSIT = Side("預り敷金", "敷金", "対象外", 100_000)
SINGLE = NamedJournal(1, NOVEMBER, "入金 桜 101", [BANK._replace(yen=200_000)], [RENT])
DOUBLE = NamedJournal(2, NOVEMBER, "入金 桜 102", [BANK], [RENT, DEPOSIT])


def test_yayoi_has_25_columns_flags_of_a_slip_and_no_head() -> None:
    one, first, last = rows(Program.YAYOI, [SINGLE, DOUBLE], "対象外")
    assert [len(row) for row in (one, first, last)] == [25, 25, 25]
    assert (one[0], first[0], last[0]) == ("2000", "2110", "2101")
    assert one[3] == "2026/11/01"
    assert one[4:16] == (
        *("普通預金", "", "", "対象外", 200_000, ""),
        *("賃料収入", "", "", "非課税売上", 200_000, ""),
    )
    assert last[4:10] == ("", "", "", "対象外", 0, "")
    assert (one[19], first[19]) == (0, 3)
    assert first[20:] == ("", "", 0, 0, "no")
    shared = DOUBLE._replace(credits=[RENT._replace(yen=100_000)] * 3)
    assert [row[0] for row in rows(Program.YAYOI, [shared], "対象外")] == ["2110", "2100", "2101"]


def test_money_forward_begins_with_the_head_it_expects() -> None:
    head, *found = rows(Program.MONEY_FORWARD, [DOUBLE], "対象外")
    assert head[:4] == ("取引No", "取引日", "借方勘定科目", "借方補助科目")
    assert head[8:10] == ("借方金額(円)", "借方税額")
    assert head[18:] == ("摘要", "仕訳メモ", "タグ", "MF仕訳タイプ", "決算整理仕訳")
    assert {len(row) for row in found} == {len(head)}
    assert [row[:2] for row in found] == [(2, "2026/11/01")] * 2
    debited, credited = [row[2:10] for row in found], [row[10:18] for row in found]
    assert debited == [
        ("普通預金", "", "", "", "対象外", "", 300_000, ""),
        ("", "", "", "", "", "", "", ""),
    ]
    assert [side[0] for side in credited] == ["賃料収入", "預り敷金"]
    assert [row[18:] for row in found] == [("入金 桜 102", "", "", "", "")] * 2


def test_freee_marks_the_head_and_every_row() -> None:
    head, *found = rows(Program.FREEE, [SINGLE, DOUBLE], "対象外")
    assert (*head[:3], head[-1]) == ("[表題行]", "日付", "伝票番号", "摘要")
    assert {row[0] for row in found} == {"[明細行]"}
    assert {len(row) for row in found} == {len(head)}
    for side in ("借方金額", "貸方金額"):
        assert sum(int(str(row[head.index(side)] or 0)) for row in found) == 500_000


def test_people_read_a_plain_file_that_marks_what_corrects_an_earlier_month() -> None:
    head, *found = rows(Program.PLAIN, [SINGLE._replace(is_late=True), DOUBLE], "対象外")
    assert {len(row) for row in found} == {len(head)}
    day = "2026-11-01"
    rent = ("賃料収入", "", "非課税売上", 200_000)
    assert found == [
        (1, day, "普通預金", "", "対象外", 200_000, *rent, "入金 桜 101", "訂正"),
        (2, day, "普通預金", "", "対象外", 300_000, *rent, "入金 桜 102", ""),
        (2, day, "", "", "", "", "預り敷金", "敷金", "対象外", 100_000, "入金 桜 102", ""),
    ]


def test_a_long_month_is_parted_between_journals() -> None:
    for most_rows in (4, 5):
        found = parts([DOUBLE] * 7, most_rows)
        assert [len(part) for part in found] == [2, 2, 2, 1]
    assert parts([], 4) == [[]]


def test_letters_of_full_and_of_unsure_width_count_twice() -> None:
    assert [half_width(text) for text in ("", "a1", "ｱ", "あ", "Ａ", "α", "桜 101")] == [
        *(0, 2, 1, 2, 2, 2, 6)
    ]


def test_a_memo_for_yayoi_keeps_its_words_beside_two_long_partners() -> None:
    sides = [Side("預り金", "", "対象外", 1, partner=letter * 40) for letter in "甲乙"]
    (row,) = rows(
        Program.YAYOI, [NamedJournal(1, date(2026, 11, 1), "振替" * 40, sides[:1], sides[1:])], "-"
    )
    assert row[16] == f"{'振替' * 3}振 {'甲' * 12} {'乙' * 12}"
    assert half_width(str(row[16])) == 64


@given(st.text(), st.integers(0, 64))
def test_words_are_cut_to_half_width_characters(text: str, most: int) -> None:
    short = cut(text, most)
    assert text.startswith(short)
    assert half_width(short) <= most
    assert short == text or half_width(text[: len(short) + 1]) > most


def test_a_letter_that_the_encoding_lacks_is_told_by_a_mark() -> None:
    for text, written in (
        ("Nguyễn 髙橋", "Nguyen 髙橋"),
        ("Joa\u0303o Łukasz", "Joao Lukasz"),
        ("9月〜11月", "9月～11月"),
        ("家賃🏠", "家賃〓"),
    ):
        assert csv_file([[text]], encoding="cp932").decode("cp932") == f"{written}\r\n"


def test_a_workbook_is_read_back_and_is_the_same_bytes_again() -> None:
    from python_calamine import CalamineWorkbook

    cells: list[list[Cell]] = [["番号", "摘要"], [1, '<桜> & "101"'], [2, None]]
    content = xlsx_file(cells, "仕訳")
    assert content == xlsx_file(cells, "仕訳")
    import io

    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    assert book.sheet_names == ["仕訳"]
    assert book.get_sheet_by_index(0).to_python() == [
        ["番号", "摘要"],
        [1, '<桜> & "101"'],
        [2, ""],
    ]
