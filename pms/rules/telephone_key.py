"""Telephone numbers as they are compared: digits alone, and Japan's own numbers from their zero."""

from typing import Final
from unicodedata import normalize

_JAPAN: Final = "81"
_FEWEST_DIGITS: Final = 6


def telephone_key(phone: str | None) -> str | None:
    """Return what two spellings of one number share; nothing for what is too short to tell.

    +81 90-1234-5678, 090 1234 5678 and full width are one number (Resource overview, enquiries).
    """
    text = normalize("NFKC", phone or "").strip()
    digits = "".join(mark for mark in text if mark in "0123456789")
    if text.startswith("+") and digits.startswith(_JAPAN):
        digits = f"0{digits.removeprefix(_JAPAN).removeprefix('0')}"
    return digits if len(digits) >= _FEWEST_DIGITS else None
