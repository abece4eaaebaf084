"""A fresh, migrated database for each test, copied from a template made once a session."""

import os
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from pms.foundation.database import Database
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from tests.servers.postgresql import APPLICATION, OWNER, PostgreSQL

# Several test processes may share one given server.
TEMPLATE = f"pms_template_{os.getpid()}"
KEPT = f"pms_kept_{os.getpid()}"
# Emptied rows leave dead ones behind; after so many tests a copy of the template is quicker.
_TESTS_IN_ONE = 100
_numbers = count(1)
_TABLES = """
    SELECT tablename FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'alembic_version'
"""
_OTHERS_OUT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_SCHEMA = """
    SELECT md5(string_agg(concat_ws(' ', relname, relkind, relrowsecurity, relforcerowsecurity,
                                    relacl, attname), ',' ORDER BY relname, attnum))
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0
    WHERE relnamespace = 'public'::regnamespace
"""

Emptied = Callable[[], str]


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


@pytest.fixture(scope="session")
def emptied_postgresql(postgresql: PostgreSQL, postgresql_template: str) -> Iterator[Emptied]:
    """Hands out one migrated PostgreSQL database, empty again each time.

    To copy the template takes longer than most tests; to delete what a test wrote does not.
    """
    uses = count()
    with _superuser(postgresql, postgresql_template) as template:
        schema = _schema(template)

    def emptied() -> str:
        if next(uses) % _TESTS_IN_ONE == 0 or not _empty(postgresql, schema):
            postgresql.drop_database(KEPT)
            postgresql.make_database(KEPT, postgresql_template)
        return KEPT

    yield emptied
    postgresql.drop_database(KEPT)


def _empty(postgresql: PostgreSQL, schema: object) -> bool:
    """Delete every row past triggers and foreign keys; false when the schema is another one."""
    with _superuser(postgresql, KEPT) as kept:
        if _schema(kept) != schema:
            return False
        kept.execute(_OTHERS_OUT)
        kept.execute("SET session_replication_role = replica")
        kept.execute("SET lock_timeout = '20s'")
        names = [sql.Identifier(name) for (name,) in kept.execute(_TABLES)]
        kept.execute(sql.SQL(";").join(sql.SQL("DELETE FROM {}").format(name) for name in names))
        for (name,) in kept.execute("SELECT sequencename FROM pg_sequences").fetchall():
            kept.execute(sql.SQL("ALTER SEQUENCE {} RESTART").format(sql.Identifier(name)))
    return True


def _superuser(postgresql: PostgreSQL, database: str) -> psycopg.Connection:
    url = postgresql.superuser_url.set(drivername="postgresql", database=database)
    return psycopg.connect(url.render_as_string(hide_password=False), autocommit=True)


def _schema(connection: psycopg.Connection) -> object:
    return connection.execute(_SCHEMA).fetchone()


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
    name = request.getfixturevalue("emptied_postgresql")()
    return postgresql_settings(tmp_path, server, name)


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    """The open database of the settings."""
    database = Database(settings)
    yield database
    database.dispose()
