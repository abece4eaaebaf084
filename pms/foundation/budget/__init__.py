"""The request budget of an API key: an exact count of its requests of the past hour."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from urllib.parse import quote, urlsplit

from pms.foundation.budget.rolling_window import RollingWindowStorage, instant_of
from pms.foundation.settings import Settings

KEYS: Final = "key"  # the scope of all budgets of API keys
_FILE: Final = "requests.sqlite"


def bucket_of(key_id: str) -> str:
    """Return the bucket's name of a key; the limit is no part of it, so a raise keeps history."""
    return f"{KEYS}/{key_id}"


def storage_uri(settings: Settings) -> str:
    """Return the URI by which the limits library finds the storage."""
    _find_storage_class(settings)
    if settings.redis_url:
        return f"budget+{settings.redis_url}"
    if settings.is_sqlite:
        return f"budget+sqlite://{quote(str(settings.budget_dir.absolute() / _FILE))}"
    return (
        f"budget+postgresql{settings.database_url[len(urlsplit(settings.database_url).scheme) :]}"
    )


def open_storage(settings: Settings) -> RollingWindowStorage:
    """Return the storage itself, for commands and screens that only query it."""
    return _find_storage_class(settings)(storage_uri(settings))


def _find_storage_class(settings: Settings) -> type[RollingWindowStorage]:
    """Return the class of the storage in the settings; importing it registers it with limits."""
    # Imported here: a driver takes as much memory as Flask, and only one of them is used.
    if settings.redis_url:
        from pms.foundation.budget.valkey import ValkeyBudget

        return ValkeyBudget
    if settings.is_sqlite:
        from pms.foundation.budget.sqlite import SqliteBudget

        return SqliteBudget
    from pms.foundation.budget.postgresql import PostgresqlBudget

    return PostgresqlBudget


def last_requests(storage: RollingWindowStorage, key_ids: Iterable[str]) -> dict[str, datetime]:
    """Return the instant of the newest request of each API key that was ever used."""
    keys = {bucket_of(key_id): key_id for key_id in key_ids}
    return {keys[bucket]: at for bucket, at in storage.last_uses(keys).items()}


def past_requests(storage: RollingWindowStorage, key_id: str) -> Iterable[datetime]:
    """Return the instants of a key's requests that the budget still stores, oldest first."""
    return (instant_of(at_us) for at_us in storage.instants(bucket_of(key_id)))
