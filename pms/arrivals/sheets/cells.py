"""Cells of a sheet: reading texts, amounts and numbers, and showing them."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from pms.catalogue.checks import check_place_reading
from pms.foundation.errors import Refused
from pms.rules.addresses import is_address, plain_address
from pms.rules.yen import Amount, AmountProblem, read_typed_amount
from pms.sheets.grid import is_changed, is_error
from pms.sheets.refusals import Unreadable

LONGEST_TEXT: Final = 200
LONGEST_REMARK: Final = 5_000

_INVISIBLE: Final = "\ufeff\u200b\u2060"
_BLANKS: Final = _INVISIBLE + "".join(
    chr(code) for code in range(0x3001) if chr(code).isspace() and code not in range(0x1C, 0x20)
)
# Our own export puts an apostrophe before a cell that a spreadsheet would run as a formula.
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


def trim(cell: str) -> str:
    """Return the cell without surrounding blanks, including full-width and no-break ones."""
    plain = cell.strip(_BLANKS)
    return plain[1:] if _NEUTRALISED.match(plain) else plain


def narrow(cell: str) -> str:
    """Return full-width letters, digits and signs as ASCII; nothing else changes."""
    return cell.translate(_NARROW)


def is_none_word(cell: str) -> bool:
    """Whether the cell states that there is no value: blank, a dash or なし."""
    return narrow(trim(cell)).translate(_DASHES).casefold() in _NONE_WORDS


def remark(cell: str) -> str | None:
    """Return free text with its line breaks as LF; None when blank."""
    plain = _compose_kana(_LINE_BREAKS.sub("\n", trim(cell)))
    if len(plain) > LONGEST_REMARK:
        raise Unreadable("text_too_long", most=LONGEST_REMARK)
    return plain or None


def text(cell: str) -> str | None:
    """Return one line of text in NFC, half-width kana as full-width; None when blank."""
    plain = _compose_kana(_LINE_BREAKS.sub(" ", trim(cell)))
    if is_error(plain):
        raise Unreadable("broken_cell")
    if len(plain) > LONGEST_TEXT:
        raise Unreadable("text_too_long", most=LONGEST_TEXT)
    return plain or None


def _compose_kana(plain: str) -> str:
    if any(
        unicodedata.category(letter) in ("Cc", "Cs") for letter in plain if letter not in "\n\t"
    ):
        raise Unreadable("control_character")
    widened = _HALF_WIDTH_KANA.sub(_widen_kana, plain)
    return unicodedata.normalize("NFC", widened)


def _widen_kana(half_width: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", half_width.group())


def required_text(cell: str) -> str:
    """Return one line of text; raise `Unreadable` when blank."""
    plain = text(cell)
    if plain is None:
        raise Unreadable("missing")
    return plain


def kana(cell: str) -> str | None:
    """Return a reading with hiragana as katakana; other letters stay."""
    plain = text(cell)
    return None if plain is None else plain.translate(_HIRAGANA)


def place_reading(cell: str) -> str | None:
    """Return the reading of a building or a room, with the rules of the office's own form."""
    plain = text(cell)
    if plain is None:
        return None
    try:
        return check_place_reading("kana", plain)
    except Refused as refusal:
        raise Unreadable("not_a_reading") from refusal


def room(cell: str) -> str:
    """Return a room name as it is stored: NFKC (① is 1, Ａ－２０２ is A-202), without 号室."""
    plain = unicodedata.normalize("NFKC", required_text(cell))
    plain = _ROOM_ENDING.sub("", _SPACES.sub(" ", plain)).strip()
    if not plain:
        raise Unreadable("missing")
    if is_changed(plain):
        raise Unreadable("room_changed")
    return plain


def email(cell: str) -> str | None:
    """Return an email address as it is stored; None when the cell states that there is none."""
    plain = trim(cell)
    if is_none_word(narrow(plain)):
        return None
    address = plain_address(plain)
    if not is_address(address):
        raise Unreadable("not_an_email")
    return address


def phone(cell: str) -> str | None:
    """Return a telephone number as ASCII text; None when the cell states that there is none."""
    plain = narrow(text(cell) or "")
    if is_none_word(plain):
        return None
    ascii_dashes = plain.translate(_DASHES)
    return ascii_dashes if _PHONE.fullmatch(ascii_dashes) else plain


def has_lost_its_zero(number: str | None) -> bool:
    """Whether a spreadsheet read the telephone number as a figure and dropped its leading 0."""
    return number is not None and _LOST_ZERO.fullmatch(number) is not None


def choice(cell: str, allowed: Iterable[str], also: Mapping[str, str] | None = None) -> str:
    """Return the word of a closed set, ignoring case and width, or by an alias real exports use."""
    written = narrow(trim(cell)).casefold()
    words = tuple(allowed)
    if written in words:
        return written
    if also and written in also:
        return also[written]
    raise Unreadable("not_one_of", allowed=", ".join(words))


def names(cell: str) -> tuple[str, ...]:
    """Return the names in a cell, separated by `;`, an ideographic comma or a line break."""
    plain = remark(cell) or ""
    parts = (text(part) for part in re.split(r"[;；、\n]", plain))
    return tuple(part for part in parts if part)


MOST_YEN: Final = 999_999_999

_CODES: Final = {
    AmountProblem.HAS_DECIMALS: "amount_with_decimals",
    AmountProblem.HAS_SIGN: "amount_with_sign",
    AmountProblem.HAS_CURRENCY_SIGN: "amount_with_currency",
    AmountProblem.MISPLACED_COMMA: "amount_with_misplaced_comma",
    AmountProblem.TOO_LARGE: "amount_too_large",
}
_SPREADSHEET_ERROR: Final = re.compile(r"#+[A-Z0-9/!?]*")
_CURRENCY_WORDS: Final = re.compile(r"\\|yen|jpy", re.IGNORECASE)
_WHOLE: Final = re.compile(r"-?[0-9]{1,9}")
_FLOOR: Final = re.compile(r"(?:(B)|(-))?([0-9]{1,3})(?:階|F)?", re.IGNORECASE)
# A comma before one or two digits is a decimal mark, as in much of Europe.
_SIZE: Final = re.compile(r"([0-9]{1,6})(?:[.,]([0-9]{1,2}))?(?:㎡|m2|m²)?")


def amount(cell: str) -> int | None:
    """Return whole yen by the rules of Money 4; None for blank or a dash."""
    plain = trim(cell)
    if is_none_word(plain):
        return None
    # In a cp932 file the byte 5C is the yen sign, which is decoded as a backslash.
    if _CURRENCY_WORDS.search(narrow(plain)):
        raise Unreadable("amount_with_currency")
    if _SPREADSHEET_ERROR.fullmatch(plain):
        raise Unreadable("spreadsheet_error")
    reading = read_typed_amount(plain)
    if not isinstance(reading, Amount):
        raise Unreadable(_CODES.get(reading.problem, "not_an_amount"), most=MOST_YEN)
    if reading.yen > MOST_YEN:
        raise Unreadable("amount_too_large", most=MOST_YEN)
    return reading.yen


def whole_number(cell: str, least: int, most: int) -> int | None:
    """Return a whole number between two bounds; None for blank or a dash."""
    plain = narrow(trim(cell))
    if is_none_word(plain):
        return None
    if not _WHOLE.fullmatch(plain):
        raise Unreadable("not_a_whole_number", least=least, most=most)
    number = int(plain)
    if not least <= number <= most:
        raise Unreadable("number_out_of_range", least=least, most=most)
    return number


def floor(cell: str) -> int | None:
    """Return a floor: 2, 2F or 2階; basements are B1 or -1."""
    plain = narrow(trim(cell))
    if is_none_word(plain):
        return None
    match = _FLOOR.fullmatch(plain)
    if match is None:
        raise Unreadable("not_a_whole_number", least=-99, most=999)
    storey = int(match[3])
    return -storey if match[1] or match[2] else storey


def size_centi_sqm(cell: str) -> int | None:
    """Return a size in hundredths of a square metre; None for blank or a dash.

    The cell may have at most two decimals, after a point or a comma.
    """
    plain = narrow(trim(cell)).replace(" ", "")
    if is_none_word(plain):
        return None
    if plain[0] in "-−▲△":
        raise Unreadable("negative_size")
    match = _SIZE.fullmatch(plain)
    if match is None:
        raise Unreadable("not_a_size")
    centi = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))
    if centi == 0:
        raise Unreadable("not_a_size")
    return centi


def size_text(centi_sqm: int | None) -> str | None:
    """Return a size in square metres with two decimals: 9.00, 31.64."""
    return None if centi_sqm is None else f"{centi_sqm // 100}.{centi_sqm % 100:02d}"


MOST_ROWS: Final = 10_000
