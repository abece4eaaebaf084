"""Addresses of mail and telephone, and surnames."""

import re
import unicodedata
from typing import Final
from unicodedata import normalize

_LONGEST: Final = 254
_ADDRESS: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")


def folded_address(text: str) -> str:
    """Return an address as it is compared: any width and case is the same address."""
    return unicodedata.normalize("NFKC", text).strip().casefold()


def is_address(text: str) -> bool:
    """Tell whether a folded text could be an email address at all."""
    is_shaped = len(text) <= _LONGEST and _ADDRESS.fullmatch(text) is not None
    return is_shaped and text.isprintable()


# Under these any person has an address, so they name no company.
_MAIL_SERVICES: Final = frozenset(
    {
        *("aol", "au", "biglobe", "commufa", "dion", "docomo", "dti", "eonet", "excite", "ezweb"),
        *("fastmail", "gmail", "gmx", "goo", "googlemail", "hey", "hotmail", "icloud", "infoseek"),
        *("jcom", "live", "mac", "mail", "me", "mineo", "msn", "nifty", "ocn", "odn", "outlook"),
        *("pm", "plala", "proton", "protonmail", "qq", "rakuten", "rakumail", "sannet", "so-net"),
        *("softbank", "tcn-catv", "tiki", "uqmobile", "vodafone", "wakwak", "yahoo", "yandex"),
        *("ymail", "ymobile", "zaq", "163", "126", "naver", "hanmail", "daum"),
    }
)
_OF_COUNTRY: Final = frozenset(
    {"ac", "ad", "co", "com", "ed", "edu", "go", "gov", "gr", "lg", "ne", "net", "or", "org"}
)


def company_word(email: str) -> str | None:
    """Return the word of a company's own domain, `sumai` of mai@mail.sumai.co.jp.

    None for an address under a mail service, and for one whose domain is written in no ASCII.
    """
    labels = folded_address(email).rpartition("@")[2].split(".")[:-1]
    if len(labels) > 1 and labels[-1] in _OF_COUNTRY:
        labels = labels[:-1]
    word = labels[-1] if labels else ""
    is_plain = re.fullmatch(r"[a-z0-9-]+", word) is not None and not word.startswith("xn--")
    return word if is_plain and word not in _MAIL_SERVICES else None


_LATIN: Final = re.compile(r"[A-Za-z]")


def surname(name: str) -> str:
    """Return the surname of a full name: the first word, or the last of a name in Latin letters.

    This is all that cleaning and maintenance staff see of an arriving resident (Surfaces).
    """
    words = name.split()
    if not words:
        return ""
    return words[-1] if _LATIN.search(words[-1]) else words[0]


_JAPAN: Final = "81"
_FEWEST_DIGITS: Final = 6


def telephone_key(phone: str | None) -> str | None:
    """Return the part that all spellings of a number share; "" for one too short to compare.

    +81 90-1234-5678, 090 1234 5678 and full-width digits are one number (enquiries).
    """
    text = normalize("NFKC", phone or "").strip()
    digits = "".join(mark for mark in text if mark in "0123456789")
    if text.startswith("+") and digits.startswith(_JAPAN):
        digits = f"0{digits.removeprefix(_JAPAN).removeprefix('0')}"
    return digits if len(digits) >= _FEWEST_DIGITS else None
