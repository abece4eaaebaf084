"""Several owners of a building: their shares, and each owner's part of an amount."""

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

_AS_PARTS: Final = re.compile(r"([0-9]{1,6})\s*/\s*([0-9]{1,6})")
_JAPANESE: Final = re.compile(r"([0-9]{1,6})分の([0-9]{1,6})")
_PERCENT: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,4})?)\s*%")
_NARROW: Final = str.maketrans("０１２３４５６７８９／％．　", "0123456789/%. ")


class OwnerShare(NamedTuple):
    """An owner's share of a building; owners have an order."""

    owner_id: str
    numerator: int
    denominator: int

    @property
    def part(self) -> Fraction:
        """The share of the whole."""
        return Fraction(self.numerator, self.denominator)

    @property
    def text(self) -> str:
        """The share as written."""
        return f"{self.numerator}/{self.denominator}"


def read_share(text: str) -> Fraction | None:
    """Read 1/3, 3分の1 or 33.5%; None for anything that is no share above 0 and at most 1."""
    written = text.translate(_NARROW).strip()
    part = None
    if found := _AS_PARTS.fullmatch(written):
        part = (int(found[1]), int(found[2]))
    elif found := _JAPANESE.fullmatch(written):
        part = (int(found[2]), int(found[1]))
    elif found := _PERCENT.fullmatch(written):
        share = Fraction(found[1]) / 100
        part = (share.numerator, share.denominator)
    if part is None or not 0 < part[0] <= part[1]:
        return None
    return Fraction(*part)


def parts_of(shares: Sequence[OwnerShare], yen: int) -> Mapping[str, int]:
    """Each owner's part of whole yen; the parts sum to it.

    Each part is rounded towards 0, and the first owner receives the remaining yen.
    """
    sign = -1 if yen < 0 else 1
    parts = {one.owner_id: sign * (abs(yen) * one.numerator // one.denominator) for one in shares}
    parts[shares[0].owner_id] += yen - sum(parts.values())
    return parts


class RunningPart:
    """Splits one amount after another so that the parts sum to the amounts.

    The running total is divided, and an amount's part is the increase of the part: lines, sums and
    balances agree to the yen for every owner, and the owners' columns sum to the whole.
    """

    def __init__(self, shares: Sequence[OwnerShare], owner_ids: Collection[str]) -> None:
        self._shares, self._owner_ids, self._total_yen = shares, frozenset(owner_ids), 0

    def take(self, yen: int) -> int:
        """Return their part of the next amount."""
        before_yen = self.yen
        self._total_yen += yen
        return self.yen - before_yen

    @property
    def yen(self) -> int:
        """Their part of all amounts so far."""
        return part_of(self._shares, self._owner_ids, self._total_yen)


def part_of(shares: Sequence[OwnerShare], owner_ids: Collection[str], yen: int) -> int:
    """The part of whole yen that belongs to some of the owners together."""
    return sum(part for id_, part in parts_of(shares, yen).items() if id_ in owner_ids)
