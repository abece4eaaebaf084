"""The strategy by which Flask-Limiter and the program ask for the budget of a key."""

from typing import Final

from limits.strategies import STRATEGIES, MovingWindowRateLimiter

from pms.foundation.budget.rolling_window import RollingWindowStorage
from pms.foundation.budget.standing import Standing

STRATEGY = "rolling-window"
_WINDOW_SECONDS: Final = 3_600


def bucket_of(key_id: str) -> str:
    """Name the bucket of an API key, whatever its budget: a raise keeps the history."""
    return f"key/{key_id}"


class RollingWindow(MovingWindowRateLimiter):
    """The moving window that also counts refusals and tells everything in one round trip."""

    def __init__(self, storage: RollingWindowStorage) -> None:
        super().__init__(storage)
        self.rolling_storage = storage

    def spend(self, key_id: str, per_hour: int) -> Standing:
        """Record one request of a key and answer for it."""
        return self.rolling_storage.spend(bucket_of(key_id), per_hour, _WINDOW_SECONDS)


STRATEGIES[STRATEGY] = RollingWindow
