"""What a language model's answer costs, and its upper bound, in thousandths of a yen."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Final, NamedTuple

from pms.rules.days import day_of, day_start

THOUSAND: Final = 1_000
MOST_TOKENS_OUT: Final = 500
MOST_TOKENS_IN: Final = 40_000
TRIES: Final = 2
_TOKENS_A_MESSAGE: Final = 8
_MOST_TOKENS: Final = 10_000_000


class Prices(NamedTuple):
    """Yen per thousand tokens read, and per thousand written."""

    in_yen: Decimal
    out_yen: Decimal


class Tokens(NamedTuple):
    """How many tokens a call read and wrote."""

    read: int
    written: int


def cost_thousandths(tokens: Tokens, prices: Prices) -> int:
    """Return the cost in thousandths of a yen, rounded up, so that a ceiling is kept.

    Yen per thousand tokens are thousandths of a yen per token, so the sum is exact.
    """
    exact = tokens.read * Fraction(prices.in_yen) + tokens.written * Fraction(prices.out_yen)
    return ceil(exact)


def most_tokens(texts: Iterable[str]) -> Tokens:
    """Return the most tokens a call with these texts may use: a token has at least one byte."""
    read = sum(len(text.encode()) + _TOKENS_A_MESSAGE for text in texts)
    return Tokens(read + _TOKENS_A_MESSAGE, MOST_TOKENS_OUT)


def most_of_an_answer(prices: Prices) -> int:
    """Return the most one answer can cost, both attempts included, in thousandths of a yen."""
    return TRIES * cost_thousandths(Tokens(MOST_TOKENS_IN, MOST_TOKENS_OUT), prices)


def used_tokens(usage: object, at_most: Tokens) -> Tokens:
    """Return the usage that a provider reports; an unreadable report counts as the most."""
    if not isinstance(usage, dict):
        return at_most
    read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(read) is not int or type(written) is not int:
        return at_most
    if not (0 <= read <= _MOST_TOKENS and 0 <= written <= _MOST_TOKENS):
        return at_most
    return Tokens(read, written)


def seconds_to_midnight(now: datetime) -> int:
    """Return the seconds until the next day begins in Japan, at least one."""
    left = day_start(day_of(now) + timedelta(days=1)) - now
    return max(1, ceil(left.total_seconds()))
