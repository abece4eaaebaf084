"""A seeded generator: the same seed makes the same choices and the same ids on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from zlib import crc32

from pms.foundation.ids import shape_id

Thing = TypeVar("Thing")
_MASK = (1 << 64) - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_IDS_OF_A_MILLISECOND = 4096  # twelve bits stand between the time and the chance


class Chance:
    """SplitMix64: small, quick, and not touched by a new version of Python."""

    def __init__(self, *seed: object):
        spelled = "/".join(str(part) for part in seed).encode()
        self._state = crc32(spelled) << 32 | crc32(spelled[::-1])

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def share(self) -> float:
        """A number from 0 up to, not including, 1."""
        return (self._next() >> 11) / (1 << 53)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.share()

    def whole(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + self._next() % (high - low + 1)

    def one_of(self, things: Sequence[Thing]) -> Thing:
        return things[self._next() % len(things)]

    def some_of(self, things: Sequence[Thing], count: int) -> list[Thing]:
        """That many different things, in the order they had."""
        left = list(range(len(things)))
        while len(left) > count:
            left.pop(self._next() % len(left))
        return [things[index] for index in left]

    def shuffled(self, things: Sequence[Thing]) -> list[Thing]:
        left = list(things)
        for last in range(len(left) - 1, 0, -1):
            other = self._next() % (last + 1)
            left[last], left[other] = left[other], left[last]
        return left

    def bits(self, count: int) -> int:
        """At most 64 of them."""
        return self._next() >> (64 - count)


class IdMaker:
    """Ids of the shape the service makes, from an instant and seeded chance."""

    def __init__(self, *seed: object):
        self._chance = Chance("ids", *seed)
        self._made_at: dict[int, int] = {}

    def at(self, instant: datetime) -> str:
        """An id that sorts by the instant, and among those of one instant by their making."""
        milliseconds = (instant - _EPOCH) // timedelta(milliseconds=1)
        before = self._made_at.get(milliseconds, 0)
        self._made_at[milliseconds] = before + 1
        later, counter = divmod(before, _IDS_OF_A_MILLISECOND)
        return shape_id(milliseconds + later, counter << 62 | self._chance.bits(62))
