"""Searching sees through width, case, kana and dashes, and finds two Japanese characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.search_text import fold, has_terms, is_same_name, terms

japanese = st.text(alphabet=st.characters(min_codepoint=0x3000, max_codepoint=0x30FF))
half_width = st.text(alphabet=st.characters(min_codepoint=0xFF01, max_codepoint=0xFF9F))
texts = st.one_of(st.text(), japanese, half_width)


@given(texts)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_no_single_character_is_changed_by_a_second_folding() -> None:
    for code in range(0x110000):
        once = fold(chr(code))
        assert fold(once) == once, hex(code)


@given(texts)
def test_every_text_is_found_by_its_own_terms(text: str) -> None:
    assert has_terms(fold(text), terms(text))


@given(texts, texts)
def test_terms_come_once_folded_and_without_blanks(one: str, other: str) -> None:
    words = terms(f"{one} {other} {one}")
    assert len(set(words)) == len(words)
    assert all(word and word == fold(word) and " " not in word for word in words)


@given(texts, texts)
def test_a_term_is_found_wherever_the_text_stands(before: str, text: str) -> None:
    assert has_terms(f"{fold(before)} {fold(text)}", terms(text))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("シェアハウス中野坂上", "中野"),
        ("シェアハウス中野坂上", "ｼｪｱﾊｳｽ"),
        ("シェアハウス中野坂上", "しぇあ"),
        ("ガーデン目黒", "ｶﾞｰﾃﾞﾝ"),
        ("がーでん目黒", "ガーデン"),
        ("ＭＡＩＳＯＮ　Ｎａｋａｎｏ", "maison nakano"),
        ("霞ヶ関", "霞ケ関"),
        ("三ヵ所", "三ゕ所"),
        ("三ヵ所", "三カ所"),
        ("千代田区１−２−３", "1-2-3"),
        ("千代田区1‐2‐3", "１－２－３"),
        ("ヴィラ青山", "う゛ぃら".replace("゛", "\u3099")),
        ("株式会社", "㍿"),
        ("Straße", "STRASSE"),
    ],
)
def test_a_text_is_found_however_the_query_is_written(text: str, query: str) -> None:
    assert has_terms(fold(text), terms(query))


def test_every_word_of_a_query_must_be_found() -> None:
    folded = fold("サンライズ中野 2LDK")
    assert has_terms(folded, terms("中野 2ldk"))
    assert not has_terms(folded, terms("中野 3ldk"))
    assert has_terms(folded, terms("  "))


def test_a_name_is_the_same_however_it_is_typed() -> None:
    for typed in ("佐藤花子", "佐藤　花子", "佐藤 花子 "):
        assert is_same_name(typed, "佐藤 花子")
    for typed in ("EMMA WILSON", "Wilson Emma", "ｅｍｍａ ｗｉｌｓｏｎ"):
        assert is_same_name(typed, "Emma Wilson")
    assert is_same_name("サトウ ハナコ", "さとう はなこ")
    assert not is_same_name("佐藤 太郎", "佐藤 花子")
    assert not is_same_name("Emma", "Emma Wilson")
