"""New amounts of a month that are proposed to residents, and what they answer."""

import re
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from pms.rules.yen import percent_of, round_half_away


class RentAnswer(StrEnum):
    """What a resident says to a proposed rent."""

    AGREE = "agree"
    DECLINE = "decline"
    TALK = "talk"


class AmountWay(StrEnum):
    """How a proposed amount follows from the present one."""

    KEEP = "keep"
    RAISE_YEN = "raise_yen"
    RAISE_PERCENT = "raise_percent"
    LOWER_YEN = "lower_yen"
    LOWER_PERCENT = "lower_percent"
    SET_YEN = "set_yen"


ROUNDING_UNITS: Final = (1, 10, 100, 500, 1_000)
"""The whole yen to which an amount by percent can be rounded."""


class AmountChange(NamedTuple):
    """A change of one monthly amount: `figure` is whole yen or percent, as its way says."""

    way: AmountWay
    figure: Decimal = Decimal(0)


_WRITTEN: Final = re.compile(r"([+-]?)([0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3})+)(?:(\.[0-9]{1,2})?(%))?")


def read_change(text: str) -> AmountChange | None:
    """Read a change as a person types it: +3%, -2.5%, +2,000 or 71000; None for anything else."""
    written = _WRITTEN.fullmatch(text.strip())
    if written is None or (written[4] and not written[1]):
        return None
    figure = Decimal(written[2].replace(",", "") + (written[3] or ""))
    if written[4] and figure > 100:
        return None
    ways = {
        ("+", "%"): AmountWay.RAISE_PERCENT,
        ("-", "%"): AmountWay.LOWER_PERCENT,
        ("+", None): AmountWay.RAISE_YEN,
        ("-", None): AmountWay.LOWER_YEN,
        ("", None): AmountWay.SET_YEN,
    }
    return AmountChange(ways[written[1], written[4]], figure)


def changed_yen(yen: int, change: AmountChange, unit_yen: int) -> int:
    """The amount after a change, in whole yen a month; below zero where too much is taken off.

    What follows by percent is exact until it is rounded once to the unit, a half upwards.
    """
    if change.way is AmountWay.KEEP:
        return yen
    if change.way is AmountWay.SET_YEN:
        return int(change.figure)
    if change.way is AmountWay.RAISE_YEN:
        return yen + int(change.figure)
    if change.way is AmountWay.LOWER_YEN:
        return yen - int(change.figure)
    part = percent_of(change.figure, yen)
    exact = yen + part if change.way is AmountWay.RAISE_PERCENT else yen - part
    return round_half_away(Fraction(exact) / unit_yen) * unit_yen
