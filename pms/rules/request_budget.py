"""The request budget of a key, and the slowing down of repeated tries."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final, NamedTuple

BUDGET_REQUESTS: Final = 300
BUDGET_WINDOW: Final = timedelta(hours=1)


class Spent(NamedTuple):
    """The number of requests with one valid key at one instant, including refused ones."""

    at: datetime
    requests: int


@dataclass(frozen=True, slots=True)
class Checks:
    """The outcome of every check of one request, in the order of the checks."""

    is_key_valid: bool = True
    is_budget_left: bool = True
    has_scope: bool = True
    is_valid: bool = True
    is_found: bool = True
    is_unique: bool = True


def counted_requests(now: datetime, earlier: Iterable[Spent]) -> int:
    """Requests of the past hour; one exactly an hour old no longer counts (Limits)."""
    return sum(spent.requests for spent in earlier if spent.at > now - BUDGET_WINDOW)


def passes(budget_requests: int, now: datetime, earlier: Iterable[Spent]) -> bool:
    """Whether a key with a budget of requests an hour may make one now (Limits)."""
    return counted_requests(now, earlier) < budget_requests


def retry_after_seconds(budget_requests: int, now: datetime, earlier: Iterable[Spent]) -> int:
    """Whole seconds after which the next request passes; 0 when it passes now.

    A budget of 0 never passes; the result is then the whole window (Errors, 429).
    """
    if budget_requests < 1:
        return int(BUDGET_WINDOW.total_seconds())
    recent = sorted(spent for spent in earlier if spent.at > now - BUDGET_WINDOW)
    counted = sum(spent.requests for spent in recent)
    wait = timedelta(0)
    for spent in recent:
        if counted < budget_requests:
            break
        counted -= spent.requests
        wait = spent.at + BUDGET_WINDOW - now
    return ceil(wait.total_seconds())


def status_of(checks: Checks) -> int:
    """The status code of the first check that fails, else 200 (Errors; Authentication 1 and 4).

    The budget is checked before the scope, and the key before the record.
    """
    in_order = (
        (checks.is_key_valid, 401),
        (checks.is_budget_left, 429),
        (checks.has_scope, 403),
        (checks.is_valid, 400),
        (checks.is_found, 404),
        (checks.is_unique, 409),
    )
    return next((status for is_passed, status in in_order if not is_passed), 200)


@dataclass(frozen=True, slots=True)
class Slowing:
    """How many tries are free, and how the wait grows with each further one."""

    free_tries: int
    first_wait: timedelta
    longest_wait: timedelta
    forgotten_after: timedelta


@dataclass(frozen=True, slots=True)
class Tries:
    """What is stored about earlier tries."""

    count: int
    last_at: datetime


PASSWORDS_OF_ADDRESS: Final = Slowing(
    5, timedelta(seconds=5), timedelta(minutes=15), timedelta(hours=1)
)
TRIES_OF_CLIENT: Final = Slowing(
    50, timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)
)
TRIES_OF_ACCOUNT: Final = Slowing(
    5, timedelta(seconds=5), timedelta(minutes=15), timedelta(hours=1)
)
CODES_OF_ASKER: Final = Slowing(3, timedelta(minutes=1), timedelta(minutes=15), timedelta(hours=1))
CODES_OF_NETWORK: Final = Slowing(
    6, timedelta(minutes=1), timedelta(minutes=15), timedelta(hours=1)
)
SIGN_UPS: Final = Slowing(3, timedelta(minutes=5), timedelta(hours=4), timedelta(days=1))
CODES_OF_ADDRESS: Final = Slowing(
    60, timedelta(minutes=1), timedelta(minutes=15), timedelta(hours=1)
)
CODES_OF_CLIENT: Final = Slowing(
    30, timedelta(seconds=30), timedelta(minutes=10), timedelta(hours=1)
)
LINKS_OF_CLIENT: Final = Slowing(
    600, timedelta(seconds=30), timedelta(minutes=10), timedelta(hours=1)
)
FACTORS_OF_PERSON: Final = Slowing(
    5, timedelta(seconds=5), timedelta(minutes=15), timedelta(hours=1)
)


def remaining_wait(slowing: Slowing, tries: Tries | None, now: datetime) -> timedelta:
    """Return how long the next try has to wait; zero when it may be made now."""
    if tries is None or tries.count < slowing.free_tries:
        return timedelta(0)
    return max(_wait_after(slowing, tries.count) - (now - tries.last_at), timedelta(0))


def with_one_more(slowing: Slowing, tries: Tries | None, now: datetime) -> Tries:
    """Return what is stored after one more try; old tries are forgotten together."""
    if tries is None or now - tries.last_at >= slowing.forgotten_after:
        return Tries(1, now)
    return Tries(tries.count + 1, now)


def _wait_after(slowing: Slowing, count: int) -> timedelta:
    doublings = min(count - slowing.free_tries, 20)
    return min(slowing.first_wait * (1 << doublings), slowing.longest_wait)
