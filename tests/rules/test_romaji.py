"""Romaji is read as hiragana; what is no romaji is none."""

import pytest

from pms.rules.name_sounds import hiragana_of, reading_typed_so_far


@pytest.mark.parametrize(
    ("romaji", "kana"),
    [("takahashi", "たかはし"), ("satou", "さとう"), ("sato", "さと"), ("matchi", "まっち"),
     ("nippon", "にっぽん"), ("shimbashi", "しんばし"), ("jun'ichi", "じゅんいち"),
     ("kanno", "かんの"), ("ryokan", "りょかん"), ("tsuchiya", "つちや"), ("SEIKYUU", "せいきゅう"),
     ("fujii", "ふじい"), ("syouji", "しょうじ")],
)  # fmt: skip
def test_a_word_is_read_as_it_is_typed(romaji: str, kana: str) -> None:
    assert hiragana_of(romaji) == kana


@pytest.mark.parametrize("word", ["", "x", "hello", "emma@example.jp", "101", "さとう"])
def test_what_is_no_romaji_is_none(word: str) -> None:
    assert hiragana_of(word) is None


@pytest.mark.parametrize(
    ("typed", "reading"),
    [("nyukin", "にゅきん"), ("nyuukin", "にゅきん"), ("にゅうきん", "にゅきん"), ("nyuk", "にゅ"),
     ("にゅうk", "にゅ"), ("seiky", "せい"), ("o-na-", "おな"), ("おーなー", "おな"), ("hello", None)],
)  # fmt: skip
def test_a_word_is_read_while_it_is_typed_with_long_vowels_or_without(
    typed: str, reading: str | None
) -> None:
    assert reading_typed_so_far(typed) == reading
