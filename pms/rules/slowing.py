"""How someone who tries a door again and again is slowed down, and never locked out for good."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final


@dataclass(frozen=True, slots=True)
class Slowing:
    """How many tries are free, and how the wait after each further one grows."""

    free_tries: int
    first_wait: timedelta
    longest_wait: timedelta
    forgotten_after: timedelta


@dataclass(frozen=True, slots=True)
class Tries:
    """What is remembered of earlier tries."""

    count: int
    last_at: datetime


PASSWORDS_OF_ADDRESS: Final = Slowing(
    5, timedelta(seconds=5), timedelta(minutes=15), timedelta(hours=1)
)
TRIES_OF_CLIENT: Final = Slowing(
    50, timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)
)
CODES_OF_ASKER: Final = Slowing(3, timedelta(minutes=1), timedelta(minutes=15), timedelta(hours=1))
CODES_OF_NETWORK: Final = Slowing(
    6, timedelta(minutes=1), timedelta(minutes=15), timedelta(hours=1)
)
CODES_OF_ADDRESS: Final = Slowing(
    60, timedelta(minutes=1), timedelta(minutes=15), timedelta(hours=1)
)
CODES_OF_CLIENT: Final = Slowing(
    30, timedelta(seconds=30), timedelta(minutes=10), timedelta(hours=1)
)
FACTORS_OF_PERSON: Final = Slowing(
    5, timedelta(seconds=5), timedelta(minutes=15), timedelta(hours=1)
)


def wait_left(slowing: Slowing, tries: Tries | None, now: datetime) -> timedelta:
    """Return how long the next try still has to wait; nothing when it may be made."""
    if tries is None or tries.count < slowing.free_tries:
        return timedelta(0)
    return max(_wait_after(slowing, tries.count) - (now - tries.last_at), timedelta(0))


def with_one_more(slowing: Slowing, tries: Tries | None, now: datetime) -> Tries:
    """Return what is remembered after one more try; old tries are forgotten together."""
    if tries is None or now - tries.last_at >= slowing.forgotten_after:
        return Tries(1, now)
    return Tries(tries.count + 1, now)


def _wait_after(slowing: Slowing, count: int) -> timedelta:
    doublings = min(count - slowing.free_tries, 20)
    return min(slowing.first_wait * (1 << doublings), slowing.longest_wait)
