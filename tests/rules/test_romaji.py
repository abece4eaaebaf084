"""Romaji is read as hiragana; what is no romaji is none."""

import pytest

from pms.rules.name_sounds import hiragana_of


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
