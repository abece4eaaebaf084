"""Chooses the storage of the budget by the settings."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from urllib.parse import quote, urlsplit

from pms.foundation.budget.rolling_window import RollingWindowStorage, instant_of
from pms.foundation.settings import Settings

KEYS: Final = "key"  # the scope of all budgets of API keys
_FILE: Final = "requests.sqlite"


def bucket_of(key_id: str) -> str:
    """Name the bucket of an API key, whatever its budget: a raise keeps the history."""
    return f"{KEYS}/{key_id}"


def storage_uri(settings: Settings) -> str:
    """Return the address by which the limits library finds the storage."""
    _kind(settings)
    if settings.redis_url:
        return f"budget+{settings.redis_url}"
    if settings.is_sqlite:
        return f"budget+sqlite://{quote(str(settings.budget_dir.absolute() / _FILE))}"
    return (
        f"budget+postgresql{settings.database_url[len(urlsplit(settings.database_url).scheme) :]}"
    )


def open_storage(settings: Settings) -> RollingWindowStorage:
    """Return the storage itself, for commands and screens that only ask."""
    return _kind(settings)(storage_uri(settings))


def _kind(settings: Settings) -> type[RollingWindowStorage]:
    """Return the storage of the settings; the limits library knows it once it is imported."""
    # Imported here: a driver weighs as much as Flask, and only one of them is ever used.
    if settings.redis_url:
        from pms.foundation.budget.valkey import ValkeyBudget

        return ValkeyBudget
    if settings.is_sqlite:
        from pms.foundation.budget.sqlite import SqliteBudget

        return SqliteBudget
    from pms.foundation.budget.postgresql import PostgresqlBudget

    return PostgresqlBudget


def last_requests(storage: RollingWindowStorage, key_ids: Iterable[str]) -> dict[str, datetime]:
    """Return when each API key that was ever used made its newest request."""
    keys = {bucket_of(key_id): key_id for key_id in key_ids}
    return {keys[bucket]: at for bucket, at in storage.last_uses(keys).items()}


def past_requests(storage: RollingWindowStorage, key_id: str) -> Iterable[datetime]:
    """Return the instants of a key's requests that the budget still keeps, oldest first."""
    return (instant_of(at_us) for at_us in storage.instants(bucket_of(key_id)))
