"""One database of each kind a process, put back before each test to what the test asks for.

To migrate or to copy a database server's database takes longer than most tests. Each process
keeps one SQLite file and one PostgreSQL database, and the program's engines over them, whose
compiled statements are used again by the next test.
"""

import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Literal

import psycopg
import pytest
from psycopg import sql

from pms.foundation.database import Database
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.foundation.versions import KeptAnswers
from tests.cast import Cast, introduce
from tests.once import made_once
from tests.servers.postgresql import APPLICATION, OWNER, PostgreSQL
from tests.servers.process import fresh_folder
from tests.staff import Staff, introduce_staff

Contents = Literal["empty", "cast", "staff"]
"""Nothing; the cast; the cast and the staff of both its workspaces."""

# Several test processes may share one given server.
TEMPLATE = f"pms_template_{os.getpid()}"
KEPT = f"pms_kept_{os.getpid()}"
SHARED_MEMORY = Path("/dev/shm")
# Deleted rows leave dead ones behind; after so many tests a copy of the template is quicker.
_TESTS_IN_ONE = 200
_numbers = count(1)
_SCHEMA = """
    SELECT md5(string_agg(concat_ws(' ', relname, relkind, relrowsecurity, relforcerowsecurity,
                                    relacl, attname), ',' ORDER BY relname, attnum))
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0
    WHERE relnamespace = 'public'::regnamespace
"""
# An idle connection holds no lock; one in the middle of something would make the next test wait.
_END_WHAT_RUNS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
"""
_TABLES = """
    SELECT relname, array_agg(attname::text ORDER BY attnum) FILTER (WHERE attgenerated = '')
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND relname <> 'alembic_version'
    GROUP BY relname ORDER BY relname
"""


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


@dataclass
class People:
    """Who lives and works in a database."""

    cast: Cast | None = None
    staff: Staff | None = None

    def introduced(self, database: Database, contents: Contents) -> "People":
        """Return these people with those added who `contents` names and who are not there."""
        cast, staff = self.cast, self.staff
        if cast is None and contents != "empty":
            cast = introduce(database)
        if staff is None and contents == "staff" and cast is not None:
            staff = introduce_staff(database, cast)
        return People(cast, staff)


_BEFORE: dict[Contents, Contents] = {"cast": "empty", "staff": "cast"}


class ReusedDatabase(ABC):
    """The database of one kind that the tests of this process use one after the other."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = Database(settings)
        self.people = People()
        self._saved: dict[Contents, People] = {}

    def restore(self, contents: Contents) -> None:
        """Put the database and its data folder into a known state."""
        self._clear_folder()
        KeptAnswers.forget_all()
        if contents not in self._saved:
            if contents != "empty":
                self.restore(_BEFORE[contents])
                self.people = self.people.introduced(self.database, contents)
            self._save(contents)
            self._saved[contents] = self.people
        self._load(contents)
        self.people = self._saved[contents]

    def keep_for_a_look(self, folder: Path) -> None:
        """Copy what a failed test left, as far as it is files."""
        shutil.copytree(self.settings.data_dir, folder / "left", dirs_exist_ok=True)

    def close(self) -> None:
        """End every connection and remove the data folder."""
        self.database.dispose()
        shutil.rmtree(self.settings.data_dir, ignore_errors=True)

    def _clear_folder(self) -> None:
        for path in self.settings.data_dir.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif not path.name.startswith("pms.sqlite3"):
                path.unlink()
        # The only folder that the program makes when it starts and not when it writes.
        self.settings.files_dir.mkdir()

    @abstractmethod
    def _save(self, contents: Contents) -> None:
        """Remember what the database holds now."""

    @abstractmethod
    def _load(self, contents: Contents) -> None:
        """Bring back what was remembered."""


class ReusedSqlite(ReusedDatabase):
    """An SQLite file that is copied over before each test."""

    def __init__(self, template: Path) -> None:
        super().__init__(settings_of_a_test(_folder("pms-sqlite-")))
        self._path = self.settings.data_dir / "pms.sqlite3"
        self._copies = _folder("pms-copies-")
        shutil.copy(template, self._path)

    def close(self) -> None:
        super().close()
        shutil.rmtree(self._copies, ignore_errors=True)

    def _save(self, contents: Contents) -> None:
        # The last connection to close writes the log back into the file.
        self.database.dispose()
        shutil.copy(self._path, self._copies / contents)

    def _load(self, contents: Contents) -> None:
        self.database.dispose()
        for end in ("-wal", "-shm", ""):
            self._path.with_name(self._path.name + end).unlink(missing_ok=True)
        shutil.copy(self._copies / contents, self._path)


class ReusedPostgresql(ReusedDatabase):
    """A PostgreSQL database whose rows are replaced before each test by one function of its own."""

    def __init__(self, server: PostgreSQL, template: str) -> None:
        super().__init__(postgresql_settings(_folder("pms-postgresql-"), server, KEPT))
        self._server, self._template = server, template
        self._uses = count(1)
        self._make()

    def restore(self, contents: Contents) -> None:
        if next(self._uses) % _TESTS_IN_ONE == 0 or self._schema() != self._fresh_schema:
            self._make()
        self._superuser.execute(_END_WHAT_RUNS)
        super().restore(contents)

    def close(self) -> None:
        super().close()
        self._superuser.close()
        self._server.drop_database(KEPT)

    def _make(self) -> None:
        self.database.dispose()
        if "_superuser" in vars(self):
            self._superuser.close()
            del self._superuser
        self._server.drop_database(KEPT)
        self._server.make_database(KEPT, self._template)
        self._fresh_schema = self._schema()
        self._saved.clear()
        self.people = People()

    @cached_property
    def _superuser(self) -> psycopg.Connection:
        url = self._server.superuser_url.set(drivername="postgresql", database=KEPT)
        connection = psycopg.connect(url.render_as_string(hide_password=False), autocommit=True)
        # Rows are deleted and written past triggers and foreign keys.
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET lock_timeout = '20s'")
        return connection

    def _schema(self) -> object:
        return self._superuser.execute(_SCHEMA).fetchone()

    def _save(self, contents: Contents) -> None:
        """Copy the tables that have rows, and make the function that brings them back."""
        schema = sql.Identifier(f"saved_{contents}")
        run = self._superuser.execute
        run(sql.SQL("CREATE SCHEMA {}").format(schema))
        body: list[sql.Composable] = []
        for name, columns in run(_TABLES).fetchall():
            table = sql.Identifier("public", name)
            body.append(sql.SQL("DELETE FROM {};").format(table))
            if run(sql.SQL("SELECT 1 FROM {} LIMIT 1").format(table)).fetchone():
                copy = sql.SQL("{}.{}").format(schema, sql.Identifier(name))
                run(sql.SQL("CREATE TABLE {} AS TABLE {}").format(copy, table))
                listed = sql.SQL(", ").join(map(sql.Identifier, columns))
                body.append(
                    sql.SQL(
                        "INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM {};"
                    ).format(table, listed, listed, copy)
                )
        sequences = "SELECT schemaname || '.' || sequencename, last_value FROM pg_sequences"
        for name, last in run(sequences + " WHERE schemaname = 'public'").fetchall():
            body.append(
                sql.SQL("PERFORM setval({}, {}, {});").format(
                    sql.Literal(name), sql.Literal(last or 1), sql.Literal(last is not None)
                )
            )
        run(
            sql.SQL("CREATE FUNCTION {}.load() RETURNS void LANGUAGE plpgsql AS {}").format(
                schema,
                sql.Literal(
                    "BEGIN " + "\n".join(each.as_string(self._superuser) for each in body) + " END"
                ),
            )
        )

    def _load(self, contents: Contents) -> None:
        load = sql.SQL("SELECT {}.load()").format(sql.Identifier(f"saved_{contents}"))
        self._superuser.execute(load)


def _folder(prefix: str) -> Path:
    """A data folder in memory where the machine has room: a commit there waits for no disk."""
    has_room = SHARED_MEMORY.is_dir() and shutil.disk_usage(SHARED_MEMORY).free > 2 * 1024**3
    return fresh_folder(prefix, SHARED_MEMORY if has_room else None)


_REUSED: dict[Settings, ReusedDatabase] = {}


def reused(settings: Settings) -> ReusedDatabase | None:
    """Return the reused database of these settings, unless a test made its own."""
    return _REUSED.get(settings)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file that nobody writes to."""
    folder = made_once(tmp_path_factory, "migrated", lambda made: migrate(settings_of_a_test(made)))
    return folder / "pms.sqlite3"


@pytest.fixture(scope="session")
def reused_sqlite(sqlite_template: Path) -> Iterator[ReusedDatabase]:
    """The SQLite file of this process."""
    yield from _registered(ReusedSqlite(sqlite_template))


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


@pytest.fixture(scope="session")
def reused_postgresql(postgresql: PostgreSQL, postgresql_template: str) -> Iterator[ReusedDatabase]:
    """The PostgreSQL database of this process."""
    yield from _registered(ReusedPostgresql(postgresql, postgresql_template))


def _registered(opened: ReusedDatabase) -> Iterator[ReusedDatabase]:
    _REUSED[opened.settings] = opened
    yield opened
    del _REUSED[opened.settings]
    opened.close()


@pytest.fixture
def postgresql_database(postgresql: PostgreSQL, postgresql_template: str) -> Iterator[str]:
    """The name of a PostgreSQL database of the test's own, migrated."""
    name = f"pms_test_{os.getpid()}_{next(_numbers)}"
    postgresql.drop_database(name)
    postgresql.make_database(name, postgresql_template)
    yield name
    postgresql.drop_database(name)


@pytest.fixture
def postgresql_url(postgresql: PostgreSQL, postgresql_database: str) -> str:
    """The address of a PostgreSQL database of the test's own, for the program's role."""
    return postgresql.url(postgresql_database, APPLICATION)


@pytest.fixture
def database_kind(request: pytest.FixtureRequest) -> str:
    """The kind of database a test runs on; the tiers say which (tests/tiers.py)."""
    return str(request.param)


@pytest.fixture
def settings(
    request: pytest.FixtureRequest, database_kind: str, tmp_path: Path
) -> Iterator[Settings]:
    """Settings over a migrated database with the cast or the staff in it, if they are asked for."""
    opened: ReusedDatabase = request.getfixturevalue(f"reused_{database_kind}")
    asked = request.fixturenames
    opened.restore("staff" if "staff" in asked else "cast" if "cast" in asked else "empty")
    yield opened.settings
    if request.node.stash.get(FAILED, False):
        opened.keep_for_a_look(tmp_path)


FAILED = pytest.StashKey[bool]()


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    """The open database of the settings."""
    opened = reused(settings)
    if opened is not None:
        yield opened.database
        return
    database = Database(settings)
    yield database
    database.dispose()


@pytest.fixture
def cast(settings: Settings, database: Database) -> Cast:
    """Everyone, stored in the database of the test."""
    opened = reused(settings)
    return (opened and opened.people.cast) or introduce(database)


@pytest.fixture
def staff(settings: Settings, database: Database, cast: Cast) -> Staff:
    """Everyone on a staff."""
    opened = reused(settings)
    return (opened and opened.people.staff) or introduce_staff(database, cast)
