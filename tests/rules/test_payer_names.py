"""The names of payers as banks write them: two ways to write one compare equal, others do not."""

import pytest

from pms.rules.payer_names import (
    company_key,
    fold_name,
    halves,
    halves_nearby,
    is_kana,
    is_one_letter_off,
    name_words,
    read_payer,
    reference_numbers,
    signed_codes,
    without_noise,
    without_voice,
)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("ｼｬｳﾞｫ-", "シヤヴオ-"),
        ("やまだ　ヲタロー", "ヤマダ オタロ-"),
        ("O'Neill", "ONEILL"),
        ("マリア・ロペス", "マリア ロペス"),
        ("Nguyễn Đỗ", "NGUYEN DO"),
        ("Àgnes Øst Ḁ", "AGNES OST A"),
        ("ガ é", "ガ E"),
    ],
)
def test_letters_are_folded_into_one_way_of_writing(text: str, plain: str) -> None:
    assert fold_name(text) == plain


def test_a_name_has_words_and_no_numbers() -> None:
    assert name_words("Nguyễn Thị 3 O") == ("NGUYEN", "THI", "O")


@pytest.mark.parametrize(
    ("text", "words", "numbers", "form"),
    [
        ("ｶ)ｱｵﾊﾞ", ("アオバ",), (), "カ"),
        ("ｱｵﾊﾞ(ﾕ", ("アオバ",), (), "ユ"),
        ("ｱｵﾊﾞ(ｲ)ﾋｶﾘ", ("アオバ", "ヒカリ"), (), "イ"),
        ("ゴウドウガイシャ アオバ", ("アオバ",), (), "ド"),
        ("ﾔﾏﾀﾞ ﾔﾁﾝ 101", ("ヤマダ",), ("101",), ""),
        ("ﾔﾏﾀﾞ 11ｶﾞﾂﾌﾞﾝ-", ("ヤマダ",), (), ""),
        ("ﾔﾏﾀﾞ 2-101 ｺﾞｳｼﾂ", ("ヤマダ",), ("2-101",), ""),
    ],
)
def test_a_payer_is_read_without_form_numbers_and_words_about_the_rent(
    text: str, words: tuple[str, ...], numbers: tuple[str, ...], form: str
) -> None:
    payer = read_payer(text)
    assert (payer.words, payer.numbers, payer.form) == (words, numbers, form)
    assert company_key(text) == ("".join(words), form)


def test_a_word_about_the_rent_that_is_somebodys_name_stays() -> None:
    assert read_payer("ﾔﾏﾀﾞ ﾘﾖｳ").key == "ヤマダ"
    assert read_payer("ﾔﾏﾀﾞ RENTX").key == "ヤマダRENTX"
    assert read_payer("ﾔﾏﾀﾞ ﾘﾖｳ", {"リヨウ"}).key == "ヤマダリヨウ"
    assert read_payer("ﾔﾏﾀﾞ ﾘﾖｳ-101", {"リヨウ"}).key == "ヤマダリヨウ-"
    assert read_payer("ﾔﾏﾀﾞ ｶﾞｽ-", {"ガス-"}).key == "ヤマダガス-"


def test_a_name_that_fills_the_field_may_be_cut_and_one_with_lost_letters_is_broken() -> None:
    assert [read_payer("ｱ" * length).is_cut for length in (46, 47, 48)] == [False, True, True]
    assert [read_payer(text).is_broken for text in ("ﾔﾏﾀﾞ", "ﾔﾏ\ufffd")] == [False, True]
    assert read_payer("ﾔﾏﾀﾞ", is_broken=True).is_broken


def test_a_full_field_may_have_lost_the_mark_of_its_last_kana() -> None:
    for length in (20, 30, 48):
        ends = [read_payer("ｱ" * (length - 2) + f" {last}").marked_ends for last in "ﾎｶﾅ"]
        assert ends == [("ボ", "ポ"), ("ガ",), ()]
    for text in ("ｱ" * 46 + "ﾎ", "ｱ" * 45 + " ﾎﾞ", "ｱ" * 45 + "ﾎ 1", "ｱ" * 46 + "12"):
        assert read_payer(text).marked_ends == ()


@pytest.mark.parametrize(
    ("key", "plain"),
    [
        ("ヤチンヤマダ", "ヤマダ"),
        ("ヤマダヤチン", "ヤマダ"),
        ("ヤマダサマ", "ヤマダ"),
        ("ヤサマダ", "ヤサマダ"),
    ],
)
def test_words_about_the_rent_grow_onto_the_ends_of_a_name(key: str, plain: str) -> None:
    assert without_noise(key) == plain


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (("6719 10",), ("671910",)),
        (("671-9 10",), ("671910",)),
        (("671 9-10",), ("671910",)),
        (("1234567 1",), ("12345671",)),
        (("7140 3950",), ("71403950",)),
        (("671  910",), ()),
        (("671/910",), ()),
        (("671 9101",), ()),
        (("11 671 910",), ()),
        (("671 910 5",), ()),
        (("11  671 910  5",), ("671910",)),
        (("671910 12",), ("671910",)),
        (("12 71403950",), ("71403950",)),
        (("123456789 1",), ()),
        (("671910", "532649", "671-910"), ("671910", "532649")),
        (("2026-11-671910",), ()),
    ],
)
def test_a_reference_may_be_written_in_two_parts(
    texts: tuple[str, ...], numbers: tuple[str, ...]
) -> None:
    assert reference_numbers(*texts) == numbers


@pytest.mark.parametrize("text", ["K7Q2M4XP", "k7q2-m4xp", "ﾔﾏﾀﾞ K7Q2 M4XP ｻﾏ"])
def test_a_signed_code_is_found_however_it_is_parted(text: str) -> None:
    assert signed_codes(text, text) == ("K7Q2M4XP",)


def test_marks_of_voice_and_letters_of_other_scripts_are_told_apart() -> None:
    assert (without_voice("ガパア"), without_voice("FELIX")) == ("カハア", "FELIX")
    assert [is_kana(word) for word in ("ヤマ-ダ", "YAMADA", "ヤマ1")] == [True, False, False]


@pytest.mark.parametrize(
    ("one", "other", "is_off"),
    [
        ("ヤマダ", "ヤマダ", False),
        ("ヤマダ", "ヤマタ", True),
        ("ヤマダ", "アマダ", True),
        ("ヤマダ", "ヤマダア", True),
        ("ヤマダ", "アヤマダ", True),
        ("ヤアマダ", "ヤマダ", True),
        ("ヤマ", "ヤマダア", False),
        ("ヤマダ", "アマタ", False),
        ("ヤマダ", "マヤダ", False),
        ("ヤマダ", "アイウエ", False),
    ],
)
def test_names_are_one_letter_off(one: str, other: str, is_off: bool) -> None:
    assert is_one_letter_off(one, other) is is_off
    assert is_one_letter_off(other, one) is is_off


@pytest.mark.parametrize(
    "name", ["ヤマダ", "ヤマタ", "アマダ", "ヤマダア", "アヤマダ", "ヤダ", "マダ"]
)
def test_a_name_one_letter_off_shares_a_half_with_the_key(name: str) -> None:
    assert is_one_letter_off("ヤマダ", name) or name == "ヤマダ"
    assert set(halves(name)) & set(halves_nearby("ヤマダ"))


def test_a_name_far_off_shares_no_half_with_the_key() -> None:
    assert not set(halves("アイウ")) & set(halves_nearby("ヤマダ"))
