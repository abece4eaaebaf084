"""Reads the cells that hold figures: amounts in yen, whole numbers, sizes."""

import re
from typing import Final

from pms.arrivals.sheets.cells import is_none_word, narrow, trimmed
from pms.arrivals.sheets.reasons import Unreadable
from pms.rules.yen import Amount, AmountProblem, read_typed_amount

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
# A comma before one or two digits is a decimal mark, as much of Europe writes it.
_SIZE: Final = re.compile(r"([0-9]{1,6})(?:[.,]([0-9]{1,2}))?(?:㎡|m2|m²)?")


def amount(cell: str) -> int | None:
    """Whole yen by the rules of Money 4; None for blank or a dash."""
    plain = trimmed(cell)
    if is_none_word(plain):
        return None
    # In a cp932 file the byte 5C is the yen sign, which arrives here as a backslash.
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
    """A whole number between two bounds; None for blank or a dash."""
    plain = narrow(trimmed(cell))
    if is_none_word(plain):
        return None
    if not _WHOLE.fullmatch(plain):
        raise Unreadable("not_a_whole_number", least=least, most=most)
    number = int(plain)
    if not least <= number <= most:
        raise Unreadable("number_out_of_range", least=least, most=most)
    return number


def floor(cell: str) -> int | None:
    """A storey: 2, 2F, 2階; basements B1 or -1."""
    plain = narrow(trimmed(cell))
    if is_none_word(plain):
        return None
    match = _FLOOR.fullmatch(plain)
    if match is None:
        raise Unreadable("not_a_whole_number", least=-99, most=999)
    storey = int(match[3])
    return -storey if match[1] or match[2] else storey


def size_centi_sqm(cell: str) -> int | None:
    """A size in hundredths of a square metre, at most two decimals after a point or a comma.

    None for blank or a dash.
    """
    plain = narrow(trimmed(cell)).replace(" ", "")
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
    """The size in square metres with its two decimals: 9.00, 31.64."""
    return None if centi_sqm is None else f"{centi_sqm // 100}.{centi_sqm % 100:02d}"
