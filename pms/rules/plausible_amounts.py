"""Amounts of a tenancy that are read well and are most likely wrong: shifted, or in thousands.

A table in thousands of yen, a decimal, or a row with a cell too many leave figures that are whole
yen and far too small or too large. They are asked about and never corrected.
"""

from collections.abc import Collection, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

LEAST_RENT_YEN: Final = 1_000
_LEAST_FEE_YEN: Final = 100
_LEAST_PART_OF_RENT: Final = 10
"""A deposit below a tenth of the rent is odd."""
MOST_MONTHS_OF_DEPOSIT: Final = 6


class OddAmount(StrEnum):
    """What is odd about an amount."""

    RENT_SMALL = "rent_small"
    FEE_SMALL = "fee_small"
    FEE_LARGE = "fee_large"
    DEPOSIT_SMALL = "deposit_small"
    DEPOSIT_LARGE = "deposit_large"


class FoundOdd(NamedTuple):
    """What is odd, and the amounts in yen that are."""

    what: OddAmount
    yens: tuple[int, ...]


def find_odd_amounts(
    rent_yen: int | None, fees_yen: Collection[int], deposit_yen: int | None
) -> Iterator[FoundOdd]:
    """Yield what is odd about the monthly amounts and the deposit of a tenancy, each kind once.

    Amounts of 0 and None state something else and are asked about elsewhere.
    """
    rent, deposit = rent_yen or 0, deposit_yen or 0
    if 0 < rent < LEAST_RENT_YEN:
        yield FoundOdd(OddAmount.RENT_SMALL, (rent,))
    is_rent_sound = rent >= LEAST_RENT_YEN
    if small := tuple(yen for yen in fees_yen if 0 < yen < _LEAST_FEE_YEN):
        yield FoundOdd(OddAmount.FEE_SMALL, small)
    if is_rent_sound and (large := tuple(yen for yen in fees_yen if yen > rent)):
        yield FoundOdd(OddAmount.FEE_LARGE, large)
    least = max(LEAST_RENT_YEN, rent // _LEAST_PART_OF_RENT)
    if 0 < deposit < least:
        yield FoundOdd(OddAmount.DEPOSIT_SMALL, (deposit,))
    if is_rent_sound and deposit > rent * MOST_MONTHS_OF_DEPOSIT:
        yield FoundOdd(OddAmount.DEPOSIT_LARGE, (deposit,))
