"""A fresh, migrated database for each test, copied from a template made once a session."""

import os
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from pms.foundation.database import Database
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from tests.servers.postgresql import APPLICATION, OWNER, PostgreSQL

# Several test processes may share one given server.
TEMPLATE = f"pms_template_{os.getpid()}"
_numbers = count(1)


def settings_of_a_test(data_dir: Path, **given: str) -> Settings:
    """The settings of a test run: nothing of the machine's own environment gets in."""
    environment = {
        "PMS_ENV": "test",
        "PMS_DATA_DIR": str(data_dir),
        "PMS_SECRET_KEY": "a secret that is only known to the tests",
        "PMS_WORKERS": "1",
        "PMS_PASSWORD_MEMORY_KIB": "8",
    }
    return Settings.from_environment(environment | given)


def postgresql_settings(data_dir: Path, server: PostgreSQL, database: str) -> Settings:
    """As in production: the program logs in with a role that owns nothing."""
    return settings_of_a_test(
        data_dir,
        PMS_DATABASE_URL=server.url(database, APPLICATION),
        PMS_OWNER_DATABASE_URL=server.url(database, OWNER),
    )


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file that nobody writes to."""
    settings = settings_of_a_test(tmp_path_factory.mktemp("sqlite-template"))
    migrate(settings)
    return settings.data_dir / "pms.sqlite3"


@pytest.fixture(scope="session")
def postgresql_template(
    postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The name of a migrated PostgreSQL database that nobody writes to."""
    postgresql.drop_database(TEMPLATE)
    postgresql.make_database(TEMPLATE)
    migrate(postgresql_settings(tmp_path_factory.mktemp("pg"), postgresql, TEMPLATE))
    yield TEMPLATE
    postgresql.drop_database(TEMPLATE)


@pytest.fixture
def postgresql_database(postgresql: PostgreSQL, postgresql_template: str) -> Iterator[str]:
    """The name of a fresh migrated PostgreSQL database."""
    name = f"pms_test_{os.getpid()}_{next(_numbers)}"
    postgresql.drop_database(name)
    postgresql.make_database(name, postgresql_template)
    yield name
    postgresql.drop_database(name)


@pytest.fixture
def postgresql_url(postgresql: PostgreSQL, postgresql_database: str) -> str:
    """The address of a fresh migrated PostgreSQL database, for the program's own role."""
    return postgresql.url(postgresql_database, APPLICATION)


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings over a fresh migrated database; a test that asks for them runs on both kinds."""
    if request.param == "sqlite":
        settings = settings_of_a_test(tmp_path)
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "pms.sqlite3")
        return settings
    server = request.getfixturevalue("postgresql")
    name = request.getfixturevalue("postgresql_database")
    return postgresql_settings(tmp_path, server, name)


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    """The open database of the settings."""
    database = Database(settings)
    yield database
    database.dispose()
