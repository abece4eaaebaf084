"""Names by their sound: keys that bring spellings together, and romaji as hiragana.

The key ignores differences that matter: オオノ, ｵ-ﾉ, ONO, OHNO and OONO have one key, and so have
SHUNSUKE, SYUNSUKE and シュンスケ. It finds candidates and proves nothing.
"""

import re
from typing import Final

_ROWS: Final = {
    "": "アイウエオ",
    "k": "カキクケコ",
    "s": "サシスセソ",
    "t": "タチツテト",
    "n": "ナニヌネノ",
    "h": "ハヒフヘホ",
    "m": "マミムメモ",
    "r": "ラリルレロ",
    "g": "ガギグゲゴ",
    "z": "ザジズゼゾ",
    "d": "ダヂヅデド",
    "b": "バビブベボ",
    "p": "パピプペポ",
}
_LETTERS: Final = str.maketrans(
    {
        kana: consonant + vowel
        for consonant, row in _ROWS.items()
        for vowel, kana in zip("aiueo", row, strict=True)
    }
    | {
        "ヤ": "ya",
        "ユ": "yu",
        "ヨ": "yo",
        "ワ": "wa",
        "ン": "n",
        "ヴ": "bu",
        "ヂ": "zi",
        "ヅ": "zu",
    }
    | dict.fromkeys("-' ", "")
)
_FOLDS: Final = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        ("sh", "sy"),
        ("t?ch", "ty"),
        ("j", "zy"),
        ("ts", "t"),
        ("dz", "z"),
        ("f|ph", "h"),
        ("v", "b"),
        ("l", "r"),
        ("hu(?=[aieo])", "h"),
        ("yi", "i"),
        ("yy", "y"),
        ("(?<=[kstnhmrgzbp])iy?(?=[aueo])", "y"),
        # A small tsu was written as a large one.
        ("tu(?=[kstp])", ""),
        ("m(?=[bpm])", "n"),
        ("oh(?![aiueoy])", "o"),
        ("ou", "o"),
        ("ei", "e"),
        (r"(.)\1+", r"\1"),
    )
)


def sound_key(name: str) -> str:
    """The sound key of a folded name without spaces; names that sound alike share it."""
    key = name.translate(_LETTERS).lower()
    for pattern, plain in _FOLDS:
        key = pattern.sub(plain, key)
    return key


_VOWELS: Final = "aiueo"
_ROMAJI_ROWS: Final = {
    "": "あいうえお", "k": "かきくけこ", "s": "さしすせそ", "t": "たちつてと", "n": "なにぬねの",
    "h": "はひふへほ", "m": "まみむめも", "r": "らりるれろ", "g": "がぎぐげご", "z": "ざじずぜぞ",
    "d": "だぢづでど", "b": "ばびぶべぼ", "p": "ぱぴぷぺぽ",
}  # fmt: skip
_SMALL: Final = {"a": "ゃ", "u": "ゅ", "o": "ょ"}
_OTHERS: Final = {
    "ya": "や", "yu": "ゆ", "yo": "よ", "wa": "わ", "wo": "を", "shi": "し", "chi": "ち",
    "tsu": "つ", "fu": "ふ", "ji": "じ", "n": "ん", "n'": "ん", "she": "しぇ", "che": "ちぇ",
    "je": "じぇ", "fa": "ふぁ", "fi": "ふぃ", "fe": "ふぇ", "fo": "ふぉ", "vu": "ゔ", "ti": "てぃ",
    "-": "ー",
}  # fmt: skip
_GLIDES: Final = {"sh": "し", "ch": "ち", "j": "じ", "sy": "し", "ty": "ち", "zy": "じ"}


def _build_syllables() -> dict[str, str]:
    found = {
        consonant + vowel: kana
        for consonant, row in _ROMAJI_ROWS.items()
        for vowel, kana in zip(_VOWELS, row, strict=True)
    }
    for consonant, row in _ROMAJI_ROWS.items():
        if consonant and consonant not in "td":
            found |= {f"{consonant}y{vowel}": row[1] + small for vowel, small in _SMALL.items()}
    for consonant, kana in _GLIDES.items():
        found |= {consonant + vowel: kana + small for vowel, small in _SMALL.items()}
    return found | _OTHERS


_SYLLABLES: Final = _build_syllables()
_LONGEST: Final = max(map(len, _SYLLABLES))
# A doubled consonant is a small tsu, an m before a lip sound an n (Hepburn).
_DOUBLED: Final = re.compile(r"([kstpgzdbcjhfr])(?=\1)|t(?=ch)")
_BEFORE_LIPS: Final = re.compile(r"m(?=[bpm])")
_UNFINISHED: Final = re.compile(r"n?[bcdfghjkmpqrstvwxyz]+$")
_LONG_VOWEL: Final = re.compile(
    "(?<=[うくすつぬふむゆるぐずづぶぷゅおこそとのほもよろをごぞどぼぽょ])う|ー"
)


def hiragana_of(romaji: str) -> str | None:
    """Return a word of Latin letters as hiragana, `None` when it is not romaji.

    Long vowels are taken as typed: "satou" is さとう, "sato" さと.
    """
    word = _BEFORE_LIPS.sub("n", romaji.lower())
    text, place = "", 0
    while place < len(word):
        if _DOUBLED.match(word, place):
            text, place = f"{text}っ", place + 1
            continue
        ends = range(min(len(word), place + _LONGEST), place, -1)
        end = next((end for end in ends if word[place:end] in _SYLLABLES), None)
        if end is None:
            return None
        text, place = text + _SYLLABLES[word[place:end]], end
    return text or None


def reading_typed_so_far(typed: str) -> str | None:
    """Return the reading of a word that is being typed in kana or romaji, without long vowels.

    Consonants at the end, which begin a syllable, are left out: "nyuk" and "にゅうk" are にゅ.
    `None` when the Latin letters are no romaji.
    """
    finished = _UNFINISHED.sub("", typed)
    kana = hiragana_of(finished) if finished.isascii() else finished
    return None if kana is None else without_long_vowels(kana)


def without_long_vowels(kana: str) -> str:
    """Return hiragana as Hepburn writes it without macrons: にゅうきん and にゅきん are one."""
    return _LONG_VOWEL.sub("", kana)
