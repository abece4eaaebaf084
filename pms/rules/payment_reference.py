"""The payment reference of a tenancy: digits only, which every bank's form accepts.

Six digits with a check digit, eight after a workspace's first ninety thousand tenancies.
"""

from typing import Final

_SHORT: Final = (90_000, 61_403, 10_000)
_LONG: Final = (9_000_000, 6_180_341, 1_000_000)
_DAMM: Final = (
    "0317598642",
    "7092154863",
    "4206871359",
    "1750983426",
    "6123045978",
    "3674209581",
    "5869720134",
    "8945362017",
    "9438617205",
    "2581436790",
)


def payment_reference(place: int) -> str:
    """The reference of the tenancy at a position, counted from 1; no other position has it.

    Neighbours get distant numbers: the step is coprime with the count of numbers.
    """
    many, step, first = _SHORT if place <= _SHORT[0] else _LONG
    body = str(first + place * step % many)
    return body + check_digit(body)


def check_digit(digits: str) -> str:
    """The Damm check digit: one wrong digit, or two swapped ones, are always detected."""
    rest = 0
    for digit in digits:
        rest = int(_DAMM[rest][int(digit)])
    return str(rest)


def is_payment_reference(digits: str) -> bool:
    """Whether digits have the length of a reference and the right check digit."""
    is_number = digits.isascii() and digits.isdigit() and digits[0] != "0"
    return is_number and len(digits) in {6, 8} and check_digit(digits[:-1]) == digits[-1]


def sender_words(reference: str | None, name: str) -> str:
    """The sender's name for a transfer: the reference before the name, which every bank accepts."""
    return f"{reference} {name}" if reference else name
