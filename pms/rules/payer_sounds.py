"""Names by their sound, so that spellings in kana and Latin letters can be matched.

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
