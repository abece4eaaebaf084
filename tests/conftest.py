"""Fixtures every test may ask for."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import ClassVar

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from tests.cast import Cast, introduce
from tests.databases import (
    database,
    emptied_postgresql,
    postgresql_database,
    postgresql_template,
    postgresql_url,
    settings,
    sqlite_template,
)
from tests.servers.fixtures import postgresql, valkey, valkey_url

__all__ = [
    "database",
    "emptied_postgresql",
    "postgresql",
    "postgresql_database",
    "postgresql_template",
    "postgresql_url",
    "settings",
    "sqlite_template",
    "valkey",
    "valkey_url",
]


class _Compiled(BytecodeCache):
    """Templates that an earlier program of this process compiled."""

    kept: ClassVar[dict[str, bytes]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key + bucket.checksum in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key + bucket.checksum])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[bucket.key + bucket.checksum] = bucket.bytecode_to_string()


@pytest.fixture
def clock() -> FixedClock:
    """Noon of 20 November 2026 in Japan, until a test moves it."""
    return FixedClock(datetime(2026, 11, 20, 3, 0, tzinfo=UTC))


@pytest.fixture
def cast(database: Database) -> Cast:
    """Everyone, stored in the database of the test."""
    return introduce(database)


@pytest.fixture
def app(settings: Settings, clock: FixedClock) -> Iterator[Flask]:
    """The whole program over the database of the test."""
    # Imported here, so that tests of the rules alone start without the web.
    from app import create_app

    app = create_app(settings, clock=clock)
    app.jinja_env.bytecode_cache = _Compiled()
    yield app
    app.extensions["pms.database"].dispose()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Someone who asks the program."""
    return app.test_client()
