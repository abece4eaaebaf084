"""Checks texts and figures typed by hand: trimmed, readable by every database, not too long."""

import re
from typing import Final
from unicodedata import category, normalize

from pms.catalogue.romanising import parted
from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase
from pms.rules.yen import LARGEST_YEN

LONGEST_NAME: Final = 100
LONGEST_LINE: Final = 200
LONGEST_TEXT: Final = 10_000
_MOST_SHOWN: Final = 60
_KEPT_CONTROLS: Final = frozenset("\n\t")
# What is left out stands for something else in the header of a mail.
_EMAIL: Final = re.compile(
    r"[^@\s,;:<>\"()\[\]\\]{1,64}@[^@\s,;:<>\"()\[\]\\]+\.[^@\s.,;:<>\"()\[\]\\]{2,}"
)
_POSTCODE: Final = re.compile(r"(\d{3})-?(\d{4})")
_PHONE: Final = re.compile(r"\+?[0-9()\- ]{5,30}")
_READING: Final = re.compile(r"[ァ-ヺー・ 　]+")
_PLACE_READING: Final = re.compile(r"[ァ-ヺー・ 　A-Za-z0-9\-]+")
_TO_KATAKANA: Final = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—―−ー"), "-")


def needed_text(field: str, value: str | None, longest: int = LONGEST_LINE) -> str:
    """Return a text that must be there, or raise `Refused` naming the field."""
    text = checked_text(field, value, longest)
    if text is None:
        raise Refused(
            "{field}: this is needed; 1 to {longest} characters.", field=field, longest=longest
        )
    return text


def checked_text(field: str, value: str | None, longest: int = LONGEST_LINE) -> str | None:
    """Return a text without blanks around it, nothing for an empty one."""
    text = normalize("NFC", (value or "").replace("\r\n", "\n").replace("\r", "\n")).strip()
    if any(category(letter) in {"Cc", "Cs"} and letter not in _KEPT_CONTROLS for letter in text):
        raise Refused(
            "{field}: this holds a character that no text has; type it anew.", field=field
        )
    if len(text) > longest:
        raise Refused(
            "{field}: this is {length} characters long; {longest} at most.",
            field=field,
            length=len(text),
            longest=longest,
        )
    return text or None


def checked_lines(field: str, values: tuple[str, ...], most: int = 40) -> list[str]:
    """Return short texts, each once, without the empty ones."""
    texts = (checked_text(field, value, LONGEST_NAME) for value in values)
    lines = list(dict.fromkeys(text for text in texts if text))
    if len(lines) > most:
        raise Refused(
            "{field}: these are {count} lines; {most} at most.",
            field=field,
            count=len(lines),
            most=most,
        )
    return lines


def checked_yen(field: str, value: int | None) -> int | None:
    """Return whole yen from 0 on (specification, Money 1), or nothing."""
    return checked_number(field, value, 0, LARGEST_YEN)


def checked_number(field: str, value: int | None, least: int, most: int) -> int | None:
    """Return a whole number within its bounds, or nothing."""
    if value is None:
        return None
    if type(value) is not int or not least <= value <= most:
        raise Refused(
            "{field}: '{value}' is not a whole number from {least} to {most}.",
            field=field,
            value=value,
            least=least,
            most=most,
        )
    return value


def checked_email(field: str, value: str | None) -> str | None:
    """Return an address a mail can go to, or nothing."""
    text = checked_text(field, value, 254)
    if text is not None and not _EMAIL.fullmatch(text):
        raise _not(field, text, Phrase("an address such as name@example.jp"))
    return text


def checked_phone(field: str, value: str | None) -> str | None:
    """Return a telephone number in half width, or nothing."""
    text = checked_text(field, value, 50)
    if text is None:
        return None
    number = normalize("NFKC", text).translate(_DASHES)
    if not _PHONE.fullmatch(number):
        raise _not(field, text, Phrase("a telephone number such as 03-1234-5678"))
    return number


def checked_postcode(field: str, value: str | None) -> str | None:
    """Return a postcode as 131-0032, however wide it was typed, or nothing."""
    text = checked_text(field, value, 20)
    if text is None:
        return None
    found = _POSTCODE.fullmatch(normalize("NFKC", text).translate(_DASHES).lstrip("〒 "))
    if found is None:
        raise _not(field, text, Phrase("a postcode of seven digits such as 131-0032"))
    return f"{found[1]}-{found[2]}"


def checked_reading(field: str, value: str | None) -> str | None:
    """Return the reading of a name in katakana, typed in either kana, or nothing."""
    text = checked_text(field, value, LONGEST_NAME)
    if text is None:
        return None
    reading = normalize("NFKC", text).translate(_TO_KATAKANA)
    if not _READING.fullmatch(reading):
        raise _not(field, text, Phrase("a reading in hiragana or katakana"))
    return " ".join(reading.split())


def checked_place_reading(field: str, value: str | None) -> str | None:
    """Return the reading of a building or a room in katakana, or nothing.

    A change between hiragana and katakana parts words, and what a name has in letters and digits
    is read as it stands: あおばハイツ2 becomes アオバ ハイツ 2.
    """
    text = checked_text(field, value, LONGEST_NAME)
    if text is None:
        return None
    reading = parted(text).translate(_TO_KATAKANA)
    if not _PLACE_READING.fullmatch(reading):
        raise _not(field, text, Phrase("a reading in hiragana or katakana"))
    return reading


def shown(value: str) -> str:
    """Return as much of a typed text as a message repeats."""
    return value if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]}…"


def _not(field: str, text: str, allowed: Phrase) -> Refused:
    return Refused(
        "{field}: '{value}' is not {allowed}.", field=field, value=shown(text), allowed=allowed
    )
