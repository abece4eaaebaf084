"""Fixtures every test may ask for."""

from datetime import UTC, datetime

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.cast import Cast, introduce
from tests.databases import (
    database,
    postgresql_database,
    postgresql_template,
    postgresql_url,
    settings,
    sqlite_template,
)
from tests.servers.fixtures import postgresql, valkey, valkey_url

__all__ = [
    "database",
    "postgresql",
    "postgresql_database",
    "postgresql_template",
    "postgresql_url",
    "settings",
    "sqlite_template",
    "valkey",
    "valkey_url",
]


@pytest.fixture
def clock() -> FixedClock:
    """Noon of 20 November 2026 in Japan, until a test moves it."""
    return FixedClock(datetime(2026, 11, 20, 3, 0, tzinfo=UTC))


@pytest.fixture
def cast(database: Database) -> Cast:
    """Everyone, stored in the database of the test."""
    return introduce(database)
