"""Whole yen: rounding, percentages, and amounts as JSON and people write them."""

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

# Large enough for any building, and sums of thousands stay far inside 64 bits.
LARGEST_YEN: Final = 999_999_999_999

_HALF_WIDTH: Final = str.maketrans("０１２３４５６７８９，", "0123456789,")
_DIGITS: Final = re.compile(r"[0-9]+")
_GROUPED: Final = re.compile(r"[1-9][0-9]{0,2}(,[0-9]{3})+")
_SIGNS: Final = frozenset("+-＋－−‐‑–—△▲")
_POINTS: Final = frozenset(".．｡。")
_CURRENCIES: Final = frozenset("¥￥円$＄€￡£元")


class AmountProblem(StrEnum):
    """Why an entered amount is refused (specification, Money 1 and 4)."""

    MISSING = "missing"
    NOT_AN_INTEGER = "not_an_integer"
    HAS_DECIMALS = "has_decimals"
    HAS_SIGN = "has_sign"
    HAS_CURRENCY_SIGN = "has_currency_sign"
    MISPLACED_COMMA = "misplaced_comma"
    TOO_SMALL = "too_small"
    TOO_LARGE = "too_large"


@dataclass(frozen=True, slots=True)
class Amount:
    """An accepted amount in whole yen."""

    yen: int


@dataclass(frozen=True, slots=True)
class RefusedAmount:
    """A refused amount: the reason, and the text entered, so that a form can show it again."""

    problem: AmountProblem
    entered: str


AmountReading: TypeAlias = Amount | RefusedAmount


def round_half_away(exact: Fraction | int) -> int:
    """The nearest whole yen, a half going away from zero (Money 2): a credit mirrors its charge."""
    if isinstance(exact, int):
        return exact
    whole, parts = exact.numerator, exact.denominator
    rounded = (2 * abs(whole) + parts) // (2 * parts)
    return -rounded if whole < 0 else rounded


def percent_of(percent: Decimal, yen: Fraction | int) -> Fraction:
    """The exact share of an exact amount in yen, not rounded (Money 3)."""
    return _share_of(percent) * yen


@lru_cache(maxsize=1_000)
def _share_of(percent: Decimal) -> Fraction:
    return Fraction(percent) / 100


def percent_charge(percent: Decimal, yen: Fraction | int) -> int:
    """The share in whole yen, rounded once, at the moment it becomes a charge (Money 3)."""
    return round_half_away(percent_of(percent, yen))


_PERCENT: Final = re.compile(r"[0-9]{1,3}(\.[0-9]{1,4})?")


def read_percent(text: str) -> Decimal | None:
    """The exact percentage typed, from 0 to 100 with up to four decimals, else None (Money 3)."""
    plain = text.strip().removesuffix("%").strip()
    percent = Decimal(plain) if _PERCENT.fullmatch(plain) else None
    return None if percent is None or percent > 100 else percent


def read_json_amount(value: object, minimum_yen: int = 0) -> AmountReading:
    """An amount from a decoded JSON value: an integer and nothing else (Money 1 and 4).

    `true`, `1.5`, `100.0`, `1e3` and text are refused; the minimum is in yen.
    """
    if type(value) is not int:
        kind = AmountProblem.MISSING if value is None else AmountProblem.NOT_AN_INTEGER
        return RefusedAmount(kind, str(value))
    return _check_amount_limits(value, minimum_yen, str(value) if abs(value) <= LARGEST_YEN else "")


def read_typed_amount(text: str, minimum_yen: int = 0) -> AmountReading:
    """An amount typed into a form (Money 4): digits, half or full width, with correct commas.

    Surrounding blanks are trimmed; decimals, signs and currency signs are refused; yen.
    """
    typed = text.strip().translate(_HALF_WIDTH)
    if not (_DIGITS.fullmatch(typed) or _GROUPED.fullmatch(typed)):
        return RefusedAmount(_problem_of(typed), text)
    digits = typed.replace(",", "").lstrip("0")
    if len(digits) > len(str(LARGEST_YEN)):
        return RefusedAmount(AmountProblem.TOO_LARGE, text)
    return _check_amount_limits(int(digits or "0"), minimum_yen, text)


def read_sought_yen(text: str) -> int | None:
    """The amount that somebody looks for, from 1 yen: 84000, 84,000, ¥84,000 or 84,000円."""
    plain = text.strip().lstrip("¥￥").removesuffix("円")
    reading = read_typed_amount(plain, minimum_yen=1)
    return reading.yen if isinstance(reading, Amount) else None


def _check_amount_limits(yen: int, minimum_yen: int, entered: str) -> AmountReading:
    if yen < minimum_yen:
        return RefusedAmount(AmountProblem.TOO_SMALL, entered)
    if yen > LARGEST_YEN:
        return RefusedAmount(AmountProblem.TOO_LARGE, entered)
    return Amount(yen)


def _problem_of(typed: str) -> AmountProblem:
    characters = frozenset(typed)
    if not characters:
        return AmountProblem.MISSING
    if characters & _CURRENCIES:
        return AmountProblem.HAS_CURRENCY_SIGN
    if typed[0] in _SIGNS:
        return AmountProblem.HAS_SIGN
    if characters & _POINTS:
        return AmountProblem.HAS_DECIMALS
    if characters <= frozenset("0123456789,"):
        return AmountProblem.MISPLACED_COMMA
    return AmountProblem.NOT_AN_INTEGER
