"""Addresses of mail and telephone, and surnames."""

import re
from enum import StrEnum
from typing import Final
from unicodedata import normalize

LONGEST_ADDRESS: Final = 254
_LONGEST_LOCAL: Final = 64
# Dots may stand anywhere: telephone companies of Japan gave such addresses out until 2009.
_LOCAL: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+")
_DOMAIN: Final = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?=[A-Za-z0-9-]*[A-Za-z])"
    r"[A-Za-z0-9][A-Za-z0-9-]{0,61}[A-Za-z0-9]"
)
_DOT_ATOM: Final = re.compile(r"[^.]+(?:\.[^.]+)*")
_QUOTED: Final = re.compile(r'"([^"\\]+)"@(.*)')


class AddressProblem(StrEnum):
    """Why a text cannot be mailed to."""

    SHAPE = "shape"
    LETTERS = "letters"
    LENGTH = "length"
    DOMAIN = "domain"


def plain_address(text: str) -> str:
    """Return an address as it is stored: narrow, trimmed, its part before the @ without quotes."""
    address = normalize("NFKC", text).strip()
    quoted = _QUOTED.fullmatch(address)
    return f"{quoted[1]}@{quoted[2]}" if quoted else address


def folded_address(text: str) -> str:
    """Return an address as it is compared: any width and case is the same address."""
    return plain_address(text).casefold()


def address_problem(address: str) -> AddressProblem | None:
    """Return why an address as it is stored cannot be mailed to, or None: the one rule for all.

    Accepted is what every mail server takes: letters, digits and marks of ASCII with dots anywhere
    before the @, and a domain of two parts or more behind it.
    """
    local, at, domain = address.rpartition("@")
    if not (local and at and domain) or "@" in local or any(map(str.isspace, address)):
        return AddressProblem.SHAPE
    if not address.isascii():
        return AddressProblem.LETTERS
    mailed = mailed_address(address)
    if len(mailed) > LONGEST_ADDRESS or mailed.rindex("@") > _LONGEST_LOCAL:
        return AddressProblem.LENGTH
    if not _DOMAIN.fullmatch(domain):
        return AddressProblem.DOMAIN
    return None if _LOCAL.fullmatch(local) else AddressProblem.SHAPE


def is_address(text: str) -> bool:
    """Whether an address as it is stored can be mailed to."""
    return address_problem(text) is None


def mailed_address(address: str) -> str:
    """Return an address as mail servers read it: "taro..yamada"@docomo.ne.jp, dots in quotes."""
    local, _, domain = address.rpartition("@")
    is_plain = local.startswith('"') or _DOT_ATOM.fullmatch(local) is not None
    return address if is_plain else f'"{local}"@{domain}'


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
