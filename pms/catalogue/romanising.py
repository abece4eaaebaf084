"""Romanises readings (Hepburn), as signs and passports of Japan do."""

import re
from typing import Final
from unicodedata import normalize

import jaconv

_KANJI: Final = re.compile(r"[㐀-鿿豈-﫿々〆〇]")
_KANA: Final = re.compile(r"[ぁ-ゖァ-ヺ]")
# A word begins where one kind of letter changes into another.
_BOUNDARY: Final = re.compile(
    r"(?<=[ぁ-ゖ])(?=[ァ-ヺ])|(?<=[ァ-ヺー])(?=[ぁ-ゖ])"
    r"|(?<=[ぁ-ゖァ-ヺー])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[ぁ-ゖァ-ヺ])"
)
_KATAKANA_WORD: Final = re.compile(r"[ァ-ヺー]{2,}")
_NO_WORD: Final = re.compile(r"[\s・･=＝、。,.&＆/／\-‐–—~〜（）()「」]+")
# The library writes these as two syllables: they are kana for foreign words.
_OTHER_SOUNDS: Final = {
    "しぇ": "she", "じぇ": "je", "ちぇ": "che", "いぇ": "ye",
    "てぃ": "ti", "でぃ": "di", "とぅ": "tu", "どぅ": "du", "てゅ": "tyu", "でゅ": "dyu",
    "うぃ": "wi", "うぇ": "we", "うぉ": "wo",
    "つぁ": "tsa", "つぃ": "tsi", "つぇ": "tse", "つぉ": "tso",
    "ふぁ": "fa", "ふぃ": "fi", "ふぇ": "fe", "ふぉ": "fo", "ふゅ": "fyu",
    "ゔぁ": "va", "ゔぃ": "vi", "ゔぇ": "ve", "ゔぉ": "vo", "ゔゅ": "vyu", "ゔ": "vu",
    "くぁ": "kwa", "くぃ": "kwi", "くぇ": "kwe", "くぉ": "kwo", "ぐぁ": "gwa",
    "ぢゃ": "ja", "ぢゅ": "ju", "ぢょ": "jo", "ゐ": "i", "ゑ": "e", "を": "o",
    "ゎ": "wa", "ゕ": "ka", "ゖ": "ke",
}  # fmt: skip
_SOUNDS: Final = re.compile("|".join(sorted(_OTHER_SOUNDS, key=len, reverse=True)))
_O: Final = "おこごそぞとどのほぼぽもよょろをぉ"
_U: Final = "うくぐすずつづぬふぶぷむゆゅるぅゔ"
# A long o or u is written once, as in Tokyo and Osaka, without a mark of length.
_LONG: Final = re.compile(rf"([{_O}])[おう]|([{_U}])う")
_SMALL_TSU: Final = "っ"


def has_kanji(text: str) -> bool:
    """Whether a text contains a kanji, whose reading is not certain."""
    return _KANJI.search(text) is not None


def is_kana(text: str) -> bool:
    """Whether a text contains hiragana or katakana."""
    return _KANA.search(text) is not None


def part_words(reading: str) -> str:
    """Return a reading with blanks between words of different scripts: あおば ハイツ."""
    return " ".join(_BOUNDARY.sub(" ", normalize("NFKC", reading)).split())


def words_of_reading(reading: str, name: str = "") -> list[str]:
    """Return the words of a reading, in hiragana.

    Words are separated by blanks, by a change between hiragana and katakana (あおばハイツ), and by the
    katakana words of the name (青葉ハイツ, read あおばはいつ).
    """
    words = [jaconv.kata2hira(word) for word in _NO_WORD.split(part_words(reading)) if word]
    for found in _KATAKANA_WORD.finditer(normalize("NFKC", name)):
        own = jaconv.kata2hira(found[0])
        words = [part for word in words for part in _split_around_part(word, own)]
    return words


def romanise(reading: str, name: str = "") -> str:
    """Return a reading in lower-case Latin letters, its words joined by hyphens: aoba-haitsu."""
    return "-".join(filter(None, map(_romanise_word, words_of_reading(reading, name))))


def _split_around_part(word: str, own: str) -> list[str]:
    before, found, after = word.partition(own)
    return [part for part in (before, found, after) if part]


def _romanise_word(word: str) -> str:
    plain = _LONG.sub(lambda found: found[1] or found[2], word).replace("ー", "")
    plain = _SOUNDS.sub(lambda found: _OTHER_SOUNDS[found[0]], plain)
    latin = _SMALL_TSU.join(map(jaconv.kana2alphabet, plain.split(_SMALL_TSU)))
    # A small tsu doubles the consonant after it, before ch as t: zasshi, matcha.
    latin = re.sub(f"{_SMALL_TSU}+(ch)", r"t\1", latin)
    latin = re.sub(f"{_SMALL_TSU}+([bcdfghjklmpqrstvwyz])", r"\1\1", latin)
    return latin.replace(_SMALL_TSU, "").lower()
