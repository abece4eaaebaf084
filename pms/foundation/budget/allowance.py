"""The budget of one key and the strategy by which Flask-Limiter asks for it."""

from functools import lru_cache

from limits import RateLimitItemPerHour
from limits.strategies import STRATEGIES, MovingWindowRateLimiter

from pms.foundation.budget.rolling_window import RollingWindowStorage
from pms.foundation.budget.standing import Standing

STRATEGY = "rolling-window"
NAMESPACE = "key"


def bucket_of(key_id: str) -> str:
    """Name the bucket of an API key."""
    return f"{NAMESPACE}/{key_id}"


class RequestsPerHour(RateLimitItemPerHour):
    """An hourly budget whose bucket does not change with its size: a raise keeps the history."""

    def key_for(self, *identifiers: bytes | str | int | float) -> str:
        return "/".join((self.namespace, *map(str, identifiers)))


@lru_cache(maxsize=256)
def allowance(per_hour: int) -> RequestsPerHour:
    """Return the budget of so many requests an hour; keys of one size share the object."""
    return RequestsPerHour(per_hour, namespace=NAMESPACE)


class RollingWindow(MovingWindowRateLimiter):
    """The moving window that also counts refusals and tells everything in one round trip."""

    def __init__(self, storage: RollingWindowStorage) -> None:
        super().__init__(storage)
        self.rolling_storage = storage

    def spend(self, item: RequestsPerHour, key_id: str) -> Standing:
        """Record one request of a key and answer for it."""
        return self.rolling_storage.spend(item.key_for(key_id), item.amount, item.get_expiry())


STRATEGIES[STRATEGY] = RollingWindow
