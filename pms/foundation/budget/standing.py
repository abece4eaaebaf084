"""Reads what a storage counted: did the request pass, what is left, when to come back."""

from typing import NamedTuple

MICROSECONDS = 1_000_000
KEPT_AT_LEAST = 1_000


class Tally(NamedTuple):
    """What a storage saw when it recorded one request."""

    counted: int  # requests inside the window, this one included
    oldest_us: int  # instant of the oldest of them
    turning_us: int | None  # over the budget: the one whose leaving lets the next request pass


class Standing(NamedTuple):
    """The answer to one request."""

    passed: bool
    limit: int
    remaining: int
    reset_seconds: int  # until the oldest counted request leaves the window
    retry_after_seconds: int | None  # only when refused


def kept_at_most(limit: int) -> int:
    """Bound what one bucket stores; twice the limit, so that a raise finds the history it needs."""
    return max(KEPT_AT_LEAST, 2 * limit)


def judge(tally: Tally, limit: int, now_us: int, window_us: int) -> Standing:
    """Answer for one recorded request; instants and the window in microseconds."""
    passed = tally.counted <= limit
    # A budget of nothing has no request whose leaving would help: come back in a whole window.
    turning_us = now_us if tally.turning_us is None else tally.turning_us
    return Standing(
        passed=passed,
        limit=limit,
        remaining=max(0, limit - tally.counted),
        reset_seconds=_seconds_until(tally.oldest_us + window_us, now_us),
        retry_after_seconds=None if passed else _seconds_until(turning_us + window_us, now_us),
    )


def _seconds_until(instant_us: int, now_us: int) -> int:
    """Round up, so that whoever waits this long is not a moment early."""
    return -((now_us - instant_us) // MICROSECONDS)
