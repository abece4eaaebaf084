"""The names of payers as banks write them, folded so that two ways to write one compare equal.

Small kana are large, ヲ is オ, every dash and long mark is alike; spaces, dots and the legal forms
of companies fall out. What is left are words: names, numbers, and words about the rent.
"""

import re
from collections.abc import Container, Iterator
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from pms.rules.bank_letters import half_width_length

CUT_AT: Final = 48
"""How many bytes of a payer's name a bank hands on."""

_SMALL_TO_LARGE: Final = str.maketrans("ァィゥェォッャュョヮヵヶヲ", "アイウエオツヤユヨワカケオ")
_HIRAGANA: Final = {code: chr(code + 0x60) for code in range(0x3041, 0x3097)}
_DASHES: Final = dict.fromkeys(map(ord, "ー‐‑‒–—―−ｰ"), "-")
_DOTS: Final = dict.fromkeys(map(ord, "・.,'’`、。·"), " ")
_STROKES: Final = str.maketrans("ĐØ", "DO")
_ACCENTED: Final = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_APOSTROPHES: Final = dict.fromkeys(map(ord, "'’`"), None)

# The short forms stand before the name with a bracket behind, behind it, or in both.
_LEGAL_SHORT: Final = [
    "カ",
    "ユ",
    "ド",
    "メ",
    "シ",
    "イ",
    "ザイ",
    "シヤ",
    "フク",
    "ガク",
    "トクヒ",
    "シユウ",
    "ベン",
    "ゼイ",
    "ギヨ",
    "チユウ",
    "ロウム",
    "ノウ",
    "レン",
    "エイ",
    "ドク",
]
_LEGAL_LONG: Final = {
    "カブシキガイシヤ": "カ",
    "カブシキカイシヤ": "カ",
    "ユウゲンガイシヤ": "ユ",
    "ゴウドウガイシヤ": "ド",
    "ゴウメイガイシヤ": "メ",
    "ゴウシガイシヤ": "シ",
    "イリヨウホウジン": "イ",
    "イツパンシヤダンホウジン": "シヤ",
    "イツパンザイダンホウジン": "ザイ",
    "シヤダンホウジン": "シヤ",
    "ザイダンホウジン": "ザイ",
    "シヤカイフクシホウジン": "フク",
    "ガツコウホウジン": "ガク",
    "トクテイヒエイリカツドウホウジン": "トクヒ",
    "シユウキヨウホウジン": "シユウ",
}
_SHORT: Final = "|".join(sorted(_LEGAL_SHORT, key=len, reverse=True))
_LEGAL: Final = re.compile(
    rf"(?:(?<=\()|(?<=[\s)])|^)(?P<before>{_SHORT})\)|\((?P<behind>{_SHORT})(?:\)|\s*$)"
    rf"|(?P<long>{'|'.join(sorted(_LEGAL_LONG, key=len, reverse=True))})"
)

# A hyphen belongs to a kana word as its long mark, between digits to a number, else it parts words.
_WORD: Final = re.compile(r"[ァ-ヺ゛゜][ァ-ヺ゛゜-]*|[^\W\d_]+|\d+(?:-\d+)*")
_KANA: Final = re.compile(r"[ァ-ヺ゛゜-]+")
# A number before a word for month, year or day is none of a room.
_NUMBER: Final = re.compile(r"(?<![\d-])\d+(?:-\d+)*(?!\d|-\d|\s*(?:ガツ|ネン|ニチ|月|年|日))")
_LENGTHS: Final = (6, 8)
_NOISE: Final = frozenset(
    [
        "ヤチン",
        "ヤチンシハライ",
        "ヤチンシ",
        "ヤチンフリコミ",
        "ヤチンダイ",
        "ヤチントウ",
        "ガツ",
        "ガツブン",
        "ガツヤチン",
        "ガツヤチンブン",
        "ブン",
        "ゲツブン",
        "ツキブン",
        "ネン",
        "ゴウシツ",
        "ゴウ",
        "シツ",
        "ヘヤ",
        "オヘヤ",
        "ルーム",
        "ル-ム",
        "キヨウエキヒ",
        "カンリヒ",
        "スイドウ",
        "スイドウコウネツ",
        "コウネツヒ",
        "スイコウヒ",
        "コウネツ",
        "デンキ",
        "ガス",
        "シキキン",
        "レイキン",
        "ケイヤク",
        "ケイヤクキン",
        "コウシン",
        "コウシンリヨウ",
        "フリコミ",
        "シヤタク",
        "シヤタクダイ",
        "リヨウ",
        "ニユウキヨ",
        "ニユウキヨシヤ",
        "サマ",
        "トシテ",
        "デンワ",
        "マンシヨン",
        "アパ-ト",
        "RENT",
        "ROOM",
        "NO",
        "TEL",
        "APT",
        "FOR",
        "YACHIN",
        "JAN",
        "FEB",
        "MAR",
        "APR",
        "MAY",
        "JUN",
        "JUL",
        "AUG",
        "SEP",
        "OCT",
        "NOV",
        "DEC",
    ]
)
_GROWN_ON: Final = ("ヤチンダイ", "ヤチン", "ガツブン", "ゴウシツ", "サマ")


class Payer(NamedTuple):
    """A payer as a bank wrote it, in words.

    `form` is the legal form of a company, `is_cut` says that the bank may have cut the end off,
    `is_broken` that some bytes of it were no letters.
    """

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    form: str
    is_cut: bool
    is_broken: bool

    @property
    def key(self) -> str:
        """All words without those about the rent, written without a space."""
        return "".join(self.words)


@lru_cache(maxsize=8192)
def folded(text: str) -> str:
    """Text in one way of writing it, spaces still there."""
    wide = normalize("NFKC", text).translate(_APOSTROPHES).upper().translate(_HIRAGANA)
    plain = wide.translate(_SMALL_TO_LARGE).translate(_DASHES).translate(_DOTS)
    # Letters of Europe lose their accents, kana keep their marks.
    return _ACCENTED.sub(lambda found: normalize("NFD", found[0])[0], plain.translate(_STROKES))


def name_words(name: str) -> tuple[str, ...]:
    """The parts of a person's name as the book has it."""
    return tuple(word for word in _WORD.findall(folded(name)) if not word[0].isdigit())


def company_key(name: str) -> tuple[str, str]:
    """A remembered payer without spaces and legal form, and the legal form."""
    payer = read_payer(name)
    return payer.key, payer.form


def read_payer(text: str, known: Container[str] = frozenset(), *, is_broken: bool = False) -> Payer:
    """A payer's name in words, without legal form, numbers and words about the rent.

    A word about the rent that is `known` as part of somebody's name stays: リヨウ is one of both.
    """
    plain = folded(text)
    found = _LEGAL.search(plain)
    form = ""
    if found is not None:
        form = found["before"] or found["behind"] or _LEGAL_LONG[found["long"]]
        plain = _LEGAL.sub(" ", plain)
    return Payer(
        tuple(
            word
            for word in _WORD.findall(plain)
            if not word[0].isdigit() and not _is_noise(word, known)
        ),
        tuple(_NUMBER.findall(plain)),
        form,
        half_width_length(text) >= CUT_AT - 1,
        is_broken or "\ufffd" in text,
    )


def _is_noise(word: str, known: Container[str]) -> bool:
    # A hyphen may part a word from a number instead of making its vowel long.
    bare = word.rstrip("-")
    return bare in _NOISE and word not in known and bare not in known


def without_noise(key: str) -> str:
    """A name without words about the rent grown onto its beginning or its end."""
    for noise in _GROWN_ON:
        key = key.removeprefix(noise).removesuffix(noise)
    return key


def reference_numbers(*texts: str) -> tuple[str, ...]:
    """The numbers of six or eight digits in texts, with a hyphen or a space inside them or not.

    Digits of a longer number, such as a telephone's, are none.
    """
    found: dict[str, None] = {}
    for text in texts:
        plain = normalize("NFKC", text).translate(_DASHES)
        runs = [(m.start(), m.end(), m.group()) for m in re.finditer(r"\d+(?:-\d+)*", plain)]
        for place, (start, end, run) in enumerate(runs):
            digits = run.replace("-", "")
            if len(digits) in _LENGTHS:
                found[digits] = None
            elif place + 1 < len(runs):
                next_start, next_end, next_run = runs[place + 1]
                more = next_run.replace("-", "")
                joined = digits + more
                is_parted = len(more) not in _LENGTHS and plain[end:next_start] == " "
                if len(joined) in _LENGTHS and is_parted:
                    is_alone = (place == 0 or plain[runs[place - 1][1] : start] != " ") and (
                        place + 2 >= len(runs) or plain[next_end : runs[place + 2][0]] != " "
                    )
                    if is_alone:
                        found[joined] = None
    return tuple(found)


def signed_codes(*texts: str) -> tuple[str, ...]:
    """Words of texts that mix letters and digits, without hyphens, such as K7Q2M4XP."""
    found: dict[str, None] = {}
    for text in texts:
        plain = folded(text)
        for word in re.findall(r"[0-9A-Z]{4}[- ]?[0-9A-Z]{4}(?![0-9A-Z])", plain):
            found["".join(letter for letter in word if letter.isalnum())] = None
    return tuple(found)


def is_kana(word: str) -> bool:
    """Whether a word is written in kana."""
    return _KANA.fullmatch(word) is not None


def without_voice(key: str) -> str:
    """A key without the marks of voiced kana, which some banks lose."""
    return "".join(part for part in normalize("NFD", key) if part not in "\u3099\u309a")


def is_one_letter_off(one: str, other: str) -> bool:
    """Whether one letter added, left out or changed makes one key of the other."""
    if one == other:
        return False
    if len(one) > len(other):
        one, other = other, one
    start = 0
    while start < len(one) and one[start] == other[start]:
        start += 1
    rest = 1 if len(one) == len(other) else 0
    return one[start + rest :] == other[start + 1 :]


def halves(name: str) -> tuple[tuple[int, str, str], ...]:
    """The first and the last half of a name, each with the length of the name."""
    middle = len(name) // 2
    return (len(name), name[:middle], ""), (len(name), "", name[middle:])


def halves_nearby(key: str) -> Iterator[tuple[int, str, str]]:
    """The halves of every name that is one letter off: one of its halves is in the key whole."""
    for length in (len(key) - 1, len(key), len(key) + 1):
        middle = length // 2
        yield length, key[:middle], ""
        yield length, "", key[len(key) - (length - middle) :]
