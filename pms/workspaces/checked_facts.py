"""Checks what a workspace says of itself: texts, addresses, the number on its invoices."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final
from unicodedata import category, normalize

from pms.foundation.errors import Refused
from pms.rules.enumerations import Locale
from pms.rules.invoice_number import is_invoice_number

MOST_OF_A_NAME: Final = 100
MOST_OF_AN_ADDRESS: Final = 200
MOST_OF_BANK_DETAILS: Final = 500
HUES: Final = 360
_POSTCODE: Final = re.compile(r"〒? ?(\d{3})-?(\d{4})")
_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—―−ー"), "-")


def checked_facts(stated: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that are stated otherwise than before; raise `Refused` for an unsound one.

    What is as it was is not asked again whether it is sound.
    """
    changed = {name: value for name, value in stated.items() if value != before[name]}
    return {name: _CHECKS[name](value) for name, value in changed.items()}


def _name(value: str) -> str:
    name = _line("name", value, MOST_OF_A_NAME)
    if name is None:
        raise Refused("name: a workspace needs a name.")
    return name


def _locale(value: str) -> str:
    if value not in list(Locale):
        raise Refused("defaultLocale: '{given}' is neither ja nor en.", given=str(value)[:20])
    return Locale(value).value


def _hue(value: int) -> int:
    if type(value) is not int or not 0 <= value < HUES:
        raise Refused(
            "brandHue: '{given}' is no hue; whole degrees from 0 to {most}.",
            given=str(value)[:20],
            most=HUES - 1,
        )
    return value


def _invoice_number(value: str | None) -> str | None:
    text = _line("qualifiedInvoiceNumber", value, MOST_OF_A_NAME)
    if text is None:
        return None
    number = normalize("NFKC", text).translate(_DASHES).replace("-", "").replace(" ", "").upper()
    if not is_invoice_number(number):
        raise Refused(
            "qualifiedInvoiceNumber: '{number}' is not T and 13 digits of which the first one"
            " checks the others.",
            number=text[:40],
        )
    return number


def _postcode(value: str | None) -> str | None:
    text = _line("postcode", value, MOST_OF_A_NAME)
    if text is None:
        return None
    found = _POSTCODE.fullmatch(normalize("NFKC", text).translate(_DASHES))
    if found is None:
        raise Refused("postcode: '{given}' has not seven digits.", given=text[:20])
    return f"{found[1]}-{found[2]}"


def _line(field: str, value: str | None, longest: int) -> str | None:
    return _text(field, None if value is None else " ".join(value.split()), longest)


def _text(field: str, value: str | None, longest: int) -> str | None:
    text = normalize("NFC", (value or "").replace("\r\n", "\n")).strip()
    if any(category(letter) in {"Cc", "Cs"} and letter != "\n" for letter in text):
        raise Refused(
            "{field}: this holds a character that no text has; type it anew.", field=field
        )
    if len(text) > longest:
        raise Refused(
            "{field}: {found_characters} characters are more than {most_characters}.",
            field=field,
            found_characters=len(text),
            most_characters=longest,
        )
    return text or None


_CHECKS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "name": _name,
    "name_en": lambda value: _line("nameEn", value, MOST_OF_A_NAME),
    "default_locale": _locale,
    "brand_hue": _hue,
    "qualified_invoice_number": _invoice_number,
    "bank_details": lambda value: _text("bankDetails", value, MOST_OF_BANK_DETAILS),
    "postcode": _postcode,
    "address": lambda value: _line("address", value, MOST_OF_AN_ADDRESS),
}
