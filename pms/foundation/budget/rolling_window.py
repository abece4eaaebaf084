"""The rolling window: the interface of every storage of the budget, and how a request is judged."""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from limits.storage import MovingWindowSupport, Storage

from pms.foundation.clock import Clock, SystemClock
from pms.foundation.errors import Problem

MICROSECONDS = 1_000_000
KEPT_AT_LEAST = 1_000


class Tally(NamedTuple):
    """The counts a storage returned for one recorded request."""

    counted: int  # requests inside the window, this one included
    oldest_us: int  # instant of the oldest of them
    turning_us: int | None  # over the limit: when it expires the next passes


class BudgetResult(NamedTuple):
    """The result for one request."""

    passed: bool
    limit: int
    remaining: int
    reset_seconds: int  # until the oldest counted request leaves the window
    retry_after_seconds: int | None  # only when refused


def kept_at_most(limit: int) -> int:
    """Return how many instants a bucket stores: twice the limit, so that a raise has history."""
    return max(KEPT_AT_LEAST, 2 * limit)


def judge(tally: Tally, limit: int, now_us: int, window_us: int) -> BudgetResult:
    """Return the result for one recorded request; instants and the window in microseconds."""
    passed = tally.counted <= limit
    # With a limit of zero no request ever frees a place: retry after a whole window.
    turning_us = now_us if tally.turning_us is None else tally.turning_us
    return BudgetResult(
        passed=passed,
        limit=limit,
        remaining=max(0, limit - tally.counted),
        reset_seconds=_seconds_until(tally.oldest_us + window_us, now_us),
        retry_after_seconds=None if passed else _seconds_until(turning_us + window_us, now_us),
    )


def _seconds_until(instant_us: int, now_us: int) -> int:
    """Return whole seconds, rounded up so that a client that waits them is never too early."""
    return -((now_us - instant_us) // MICROSECONDS)


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
ROLLING_ONLY = "The budget keeps rolling windows; it has no fixed-window counters."


class BudgetUnavailable(Problem):
    """The storage cannot count, so no request may pass: the surface answers 503, worth retrying."""

    retry_after_seconds = 5

    def __init__(self) -> None:
        super().__init__("The request budget cannot be checked at the moment. Please try again.")


def system_microseconds() -> int:
    """Return this machine's time in microseconds since 1970; every storage uses it."""
    return time.time_ns() // 1_000


def instant_of(at_us: int) -> datetime:
    """Return the instant of a count of microseconds since 1970."""
    return EPOCH + at_us * MICROSECOND


def microseconds_of(clock: Clock) -> Callable[[], int]:
    """Return a clock's time in microseconds; the machine's own clock with full precision."""
    if isinstance(clock, SystemClock):
        return system_microseconds
    return lambda: (clock.now() - EPOCH) // MICROSECOND


class RollingWindowStorage(Storage, MovingWindowSupport):
    """What the storages of the budget share: an exact rolling window, without fixed windows."""

    STORAGE_SCHEME: list[str] | None = None

    def __init__(
        self,
        uri: str,
        wrap_exceptions: bool = False,
        *,
        now_us: Callable[[], int] = system_microseconds,
        **options: float | str | bool,
    ) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **options)
        self.now_us = now_us

    @abstractmethod
    def record(self, bucket: str, limit: int, now_us: int, window_us: int) -> Tally:
        """Record one request and count the window, as one atomic step."""

    @abstractmethod
    def instants(self, bucket: str) -> list[int]:
        """Return the stored instants of a bucket, oldest first."""

    @abstractmethod
    def newest(self, buckets: list[str]) -> dict[str, int]:
        """Return the newest instant of each bucket that has one, in one round trip."""

    @abstractmethod
    def close(self) -> None:
        """Close this process's connections; the next request opens new ones."""

    def spend(self, bucket: str, limit: int, window_seconds: int) -> BudgetResult:
        """Record one request and return its result; raise `BudgetUnavailable` when that fails."""
        now_us = self.now_us()
        window_us = window_seconds * MICROSECONDS
        try:
            tally = self.record(bucket, limit, now_us, window_us)
        except self.base_exceptions as failure:
            raise BudgetUnavailable from failure
        return judge(tally, limit, now_us, window_us)

    def last_use(self, bucket: str) -> datetime | None:
        """Return the instant of a bucket's newest request."""
        return self.last_uses([bucket]).get(bucket)

    def last_uses(self, buckets: Iterable[str]) -> dict[str, datetime]:
        """Return the newest request's instant of each bucket that has one."""
        try:
            found = self.newest(list(buckets))
        except self.base_exceptions as failure:
            raise BudgetUnavailable from failure
        return {bucket: instant_of(at_us) for bucket, at_us in found.items()}

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Record requests for the limits library; true when all of them passed."""
        passed = [self.spend(key, limit, expiry).passed for _ in range(amount)]
        return all(passed)

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """Return the start of the window in seconds since 1970 and the requests within it."""
        floor_us = self.now_us() - expiry * MICROSECONDS
        counted = [at_us for at_us in self.instants(key) if at_us > floor_us]
        start_us = counted[0] if counted else self.now_us()
        return start_us / MICROSECONDS, min(limit, len(counted))

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        raise NotImplementedError(ROLLING_ONLY)

    def get(self, key: str) -> int:
        raise NotImplementedError(ROLLING_ONLY)

    def get_expiry(self, key: str) -> float:
        raise NotImplementedError(ROLLING_ONLY)
