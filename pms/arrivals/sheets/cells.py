"""Reads the cells that hold text: names, readings, buildings, rooms, e-mail, telephone, choices."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from pms.arrivals.sheets.reasons import Unreadable
from pms.catalogue.checked_texts import checked_place_reading
from pms.foundation.errors import Refused

LONGEST_TEXT: Final = 200
LONGEST_REMARK: Final = 5_000
LONGEST_EMAIL: Final = 254

_INVISIBLE: Final = "\ufeff\u200b\u2060"
_BLANKS: Final = _INVISIBLE + "".join(
    chr(code) for code in range(0x3001) if chr(code).isspace() and code not in range(0x1C, 0x20)
)
# Our own export puts an apostrophe before what a spreadsheet would take for a formula.
_NEUTRALISED: Final = re.compile(r"'(?=[=+\-@＝＋－＠\t\r])")
_HALF_WIDTH_KANA: Final = re.compile("[\uff61-\uff9f]+")
_HIRAGANA: Final = {
    **{code: chr(code + 0x60) for code in range(0x3041, 0x3097)},
    0x309D: "ヽ",
    0x309E: "ヾ",
}
_NARROW: Final = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {0x3000: " "}
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−ー－", "-"))
_NONE_WORDS: Final = frozenset({"", "-", "なし", "無し", "無", "ナシ", "none", "n/a", "na", "nil"})
_LINE_BREAKS: Final = re.compile(r"\r\n?|\n|\x85|\u2028|\u2029")
_SPACES: Final = re.compile(r"\s+")
_ROOM_ENDING: Final = re.compile(r"\s*(?:号室|号)$")
_PHONE: Final = re.compile(r"[0-9+()\-./ #*extEXT]+")
_LOST_ZERO: Final = re.compile(r"[1-9][0-9]{8,9}")
_LOCAL: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_EMAIL: Final = re.compile(rf"{_LOCAL}@{_LABEL}(?:\.{_LABEL})+")


def trimmed(cell: str) -> str:
    """The cell without blanks around it, also full-width and no-break ones."""
    plain = cell.strip(_BLANKS)
    return plain[1:] if _NEUTRALISED.match(plain) else plain


def narrow(cell: str) -> str:
    """Full-width letters, digits and signs as ASCII; nothing else changes."""
    return cell.translate(_NARROW)


def is_none_word(cell: str) -> bool:
    """Whether the cell says in so many words that there is nothing: blank, a dash, なし."""
    return narrow(trimmed(cell)).translate(_DASHES).casefold() in _NONE_WORDS


def remark(cell: str) -> str | None:
    """Free text with its line breaks, which become LF; None when blank."""
    plain = _composed(_LINE_BREAKS.sub("\n", trimmed(cell)))
    if len(plain) > LONGEST_REMARK:
        raise Unreadable("text_too_long", most=LONGEST_REMARK)
    return plain or None


def text(cell: str) -> str | None:
    """One line of text in NFC, half-width kana as full-width; None when blank."""
    plain = _composed(_LINE_BREAKS.sub(" ", trimmed(cell)))
    if len(plain) > LONGEST_TEXT:
        raise Unreadable("text_too_long", most=LONGEST_TEXT)
    return plain or None


def _composed(plain: str) -> str:
    if any(
        unicodedata.category(letter) in ("Cc", "Cs") for letter in plain if letter not in "\n\t"
    ):
        raise Unreadable("control_character")
    widened = _HALF_WIDTH_KANA.sub(_widened, plain)
    return unicodedata.normalize("NFC", widened)


def _widened(half_width: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", half_width.group())


def required(cell: str) -> str:
    """One line of text that must be there."""
    plain = text(cell)
    if plain is None:
        raise Unreadable("missing")
    return plain


def kana(cell: str) -> str | None:
    """A reading: hiragana becomes katakana, other letters stay."""
    plain = text(cell)
    return None if plain is None else plain.translate(_HIRAGANA)


def place_reading(cell: str) -> str | None:
    """The reading of a building or a room, as the office's own form takes it."""
    plain = text(cell)
    if plain is None:
        return None
    try:
        return checked_place_reading("kana", plain)
    except Refused as refusal:
        raise Unreadable("not_a_reading") from refusal


def room(cell: str) -> str:
    """A room as it is stored: NFKC (① is 1, Ａ－２０２ is A-202), without 号室."""
    plain = unicodedata.normalize("NFKC", required(cell))
    plain = _ROOM_ENDING.sub("", _SPACES.sub(" ", plain)).strip()
    if not plain:
        raise Unreadable("missing")
    return plain


def email(cell: str) -> str | None:
    """An address in ASCII as written; None when the cell says that there is none."""
    plain = narrow(trimmed(cell))
    if is_none_word(plain):
        return None
    if len(plain) > LONGEST_EMAIL or not _EMAIL.fullmatch(plain):
        raise Unreadable("not_an_email")
    return plain


def phone(cell: str) -> str | None:
    """A telephone number as text, in ASCII; None when the cell says that there is none."""
    plain = narrow(text(cell) or "")
    if is_none_word(plain):
        return None
    ascii_dashes = plain.translate(_DASHES)
    return ascii_dashes if _PHONE.fullmatch(ascii_dashes) else plain


def has_lost_its_zero(number: str | None) -> bool:
    """Whether a spreadsheet took the telephone number for a figure and dropped the leading 0."""
    return number is not None and _LOST_ZERO.fullmatch(number) is not None


def choice(cell: str, allowed: Iterable[str], also: Mapping[str, str] | None = None) -> str:
    """One word of a closed set, whatever its case and width, or a name real exports give it."""
    written = narrow(trimmed(cell)).casefold()
    words = tuple(allowed)
    if written in words:
        return written
    if also and written in also:
        return also[written]
    raise Unreadable("not_one_of", allowed=", ".join(words))


def names(cell: str) -> tuple[str, ...]:
    """Several names in one cell, parted by a semicolon, an ideographic comma or a line break."""
    plain = remark(cell) or ""
    parts = (text(part) for part in re.split(r"[;；、\n]", plain))
    return tuple(part for part in parts if part)
