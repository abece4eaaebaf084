"""Payers' names as banks write them, folded so that spellings of one name compare equal.

Small kana become large, ヲ becomes オ, all dashes and long marks are one; spaces, dots and legal
forms of companies are removed. The result is words: names, numbers, and words about the rent.
"""

import re
from collections.abc import Container, Iterator
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from pms.rules.bank_letters import half_width_length

CUT_AT: Final = 48
"""How many bytes of a payer's name a bank passes on."""
# Some lists have shorter fields of 20 or 30 bytes; one less fits before a voiced kana.
_SHORTER_FIELDS: Final = frozenset({19, 20, 29, 30})
_FULL_FIELDS: Final = frozenset({20, 30, CUT_AT})
_MARKS: Final = ("\u3099", "\u309a")

_SMALL_TO_LARGE: Final = str.maketrans("ァィゥェォッャュョヮヵヶヲ", "アイウエオツヤユヨワカケオ")
_HIRAGANA: Final = {code: chr(code + 0x60) for code in range(0x3041, 0x3097)}
_DASHES: Final = dict.fromkeys(map(ord, "ー‐‑‒–—―−ｰ"), "-")
_DOTS: Final = dict.fromkeys(map(ord, "・.,'’`、。·"), " ")
_STROKES: Final = str.maketrans("ĐØ", "DO")
_ACCENTED: Final = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_APOSTROPHES: Final = dict.fromkeys(map(ord, "'’`"), None)

# Short forms come before the name with a closing bracket, after it, or in both places.
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

# In kana a hyphen is a long mark, between digits part of the number; else it separates words.
_WORD: Final = re.compile(r"[ァ-ヺ゛゜][ァ-ヺ゛゜-]*|[^\W\d_]+|\d+(?:-\d+)*")
_KANA: Final = re.compile(r"[ァ-ヺ゛゜-]+")
# A number before a word for month, year or day is not a room number.
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


class PayerWords(NamedTuple):
    """A payer as a bank wrote it, in words.

    `form` is the legal form of a company; `is_cut`: the bank may have cut the end off; `is_short`:
    the name ends where the shorter field of some lists does; `is_broken`: some bytes were not
    letters. `marked_ends`: the last word with the mark that may have been cut off its last kana.
    """

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    form: str
    is_cut: bool
    is_short: bool
    is_broken: bool
    marked_ends: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """All words except those about the rent, without spaces."""
        return "".join(self.words)


@lru_cache(maxsize=8192)
def fold_name(text: str) -> str:
    """Text in one normal spelling, with its spaces."""
    wide = normalize("NFKC", text).translate(_APOSTROPHES).upper().translate(_HIRAGANA)
    plain = wide.translate(_SMALL_TO_LARGE).translate(_DASHES).translate(_DOTS)
    # European letters lose their accents, kana keep their marks.
    return _ACCENTED.sub(lambda found: normalize("NFD", found[0])[0], plain.translate(_STROKES))


def name_words(name: str) -> tuple[str, ...]:
    """The parts of a person's recorded name."""
    return tuple(word for word in _WORD.findall(fold_name(name)) if not word[0].isdigit())


def without_legal_form(folded: str) -> str:
    """A name from `fold_name` without the legal form of a company."""
    return _LEGAL.sub(" ", folded)


def company_key(name: str) -> tuple[str, str]:
    """A remembered payer without spaces and legal form, and the legal form."""
    payer = read_payer(name)
    return payer.key, payer.form


def read_payer(
    text: str, known: Container[str] = frozenset(), *, is_broken: bool = False
) -> PayerWords:
    """Split a payer's name into words, without legal form, numbers and words about the rent.

    A word about the rent that is `known` as part of a name is kept: リヨウ is both.
    """
    plain = fold_name(text)
    found = _LEGAL.search(plain)
    form = ""
    if found is not None:
        form = found["before"] or found["behind"] or _LEGAL_LONG[found["long"]]
        plain = _LEGAL.sub(" ", plain)
    words = tuple(
        word
        for word in _WORD.findall(plain)
        if not word[0].isdigit() and not _is_noise(word, known)
    )
    length = half_width_length(text)
    ends_name = bool(words) and plain.rstrip().endswith(words[-1])
    return PayerWords(
        words,
        tuple(_NUMBER.findall(plain)),
        form,
        length >= CUT_AT - 1,
        length in _SHORTER_FIELDS and ends_name,
        is_broken or "\ufffd" in text,
        _list_marked_words(words[-1]) if ends_name and length in _FULL_FIELDS else (),
    )


def _list_marked_words(word: str) -> tuple[str, ...]:
    """Return a word with each mark that its last kana can have: ホ may be the first half of ボ."""
    with_marks = (normalize("NFC", word + mark) for mark in _MARKS)
    return tuple(marked for marked in with_marks if len(marked) == len(word))


def _is_noise(word: str, known: Container[str]) -> bool:
    # A hyphen may separate a word from a number instead of lengthening its vowel.
    bare = word.rstrip("-")
    return bare in _NOISE and word not in known and bare not in known


def without_noise(key: str) -> str:
    """A name without words about the rent attached to its beginning or end."""
    for noise in _GROWN_ON:
        key = key.removeprefix(noise).removesuffix(noise)
    return key


def reference_numbers(*texts: str) -> tuple[str, ...]:
    """The six- or eight-digit numbers in texts, with or without a hyphen or space inside.

    Digits of a longer number, such as a telephone number, are left out.
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
    """Words with both letters and digits, without hyphens, such as K7Q2M4XP."""
    found: dict[str, None] = {}
    for text in texts:
        plain = fold_name(text)
        for word in re.findall(r"[0-9A-Z]{4}[- ]?[0-9A-Z]{4}(?![0-9A-Z])", plain):
            found["".join(letter for letter in word if letter.isalnum())] = None
    return tuple(found)


def is_kana(word: str) -> bool:
    """Whether a word is written in kana."""
    return _KANA.fullmatch(word) is not None


def without_voice(key: str) -> str:
    """A key without voiced marks, which some banks lose."""
    return "".join(part for part in normalize("NFD", key) if part not in "\u3099\u309a")


def is_one_letter_off(word: str, other: str) -> bool:
    """Whether adding, removing or changing one letter turns one key into the other."""
    if word == other:
        return False
    if len(word) > len(other):
        word, other = other, word
    start = 0
    while start < len(word) and word[start] == other[start]:
        start += 1
    rest = 1 if len(word) == len(other) else 0
    return word[start + rest :] == other[start + 1 :]


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
