"""The request budget of an API key: how many requests it made in the past hour, kept exactly."""

from pms.foundation.budget.rolling_window import BudgetUnavailable, RollingWindowStorage
from pms.foundation.budget.standing import Standing, Tally
from pms.foundation.budget.storages import last_requests, open_storage, storage_uri

__all__ = [
    "BudgetUnavailable",
    "RollingWindowStorage",
    "Standing",
    "Tally",
    "last_requests",
    "open_storage",
    "storage_uri",
]
