"""A migration happens once however many ask, wholly or not at all, and with few rights."""

import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import inspect

from pms.foundation import migrating
from pms.foundation.database import Database
from pms.foundation.db import make_engine
from pms.foundation.migrating import MIGRATIONS, current_head, database_head, migrate
from pms.foundation.settings import Settings
from tests.cast import introduce
from tests.databases import postgresql_settings, settings_of_a_test
from tests.servers.absence import MissingServerError, give_up
from tests.servers.postgresql import PostgreSQL, programs_of_the_wheel, start_postgresql

another_server = pytest.mark.thorough("another server to start, for the same wall")
FAILING = '''"""Fails half-way."""

from alembic import op
import sqlalchemy as sa

revision = "9999"
down_revision = "{head}"


def upgrade() -> None:
    op.create_table("half_done", sa.Column("id", sa.Integer(), primary_key=True))
    raise ZeroDivisionError
'''


def head_of(settings: Settings) -> str | None:
    engine = make_engine(settings, as_owner=True)
    with engine.connect() as connection:
        head = database_head(connection)
    engine.dispose()
    return head


@pytest.mark.differs("migrations")
def test_a_migration_that_fails_leaves_nothing_behind(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = current_head()
    copied = shutil.copytree(MIGRATIONS, tmp_path / "migrations")
    (copied / "versions" / "9999_fail.py").write_text(FAILING.format(head=head))
    monkeypatch.setattr(migrating, "MIGRATIONS", copied)
    with pytest.raises(ZeroDivisionError):
        migrate(settings)
    engine = make_engine(settings, as_owner=True)
    with engine.connect() as connection:
        assert not inspect(connection).has_table("half_done")
        assert database_head(connection) == head
    engine.dispose()


def test_several_processes_migrate_one_sqlite_file_once(tmp_path: Path) -> None:
    several_migrate(settings_of_a_test(tmp_path))


def test_several_processes_migrate_one_postgresql_once(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    name = f"pms_race_{os.getpid()}"
    postgresql.drop_database(name)
    postgresql.make_database(name)
    several_migrate(postgresql_settings(tmp_path, postgresql, name))
    postgresql.drop_database(name)


def several_migrate(settings: Settings) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        list(processes.map(migrate, [settings] * 2))
    assert head_of(settings) == current_head()


@pytest.mark.only_on("sqlite")
def test_rows_survive_a_repeated_migration(settings: Settings) -> None:
    database = Database(settings)
    cast = introduce(database)
    migrate(settings)
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.connection().exec_driver_sql("SELECT count(*) FROM unit").scalar() == 8
    database.dispose()


@pytest.mark.parametrize(
    ("programs", "rights"),
    [
        ("wheel", "CREATEROLE"),
        pytest.param("wheel", "SUPERUSER", marks=another_server),
        pytest.param("system", "CREATEROLE", marks=another_server),
        pytest.param("system", "SUPERUSER", marks=another_server),
    ],
)
def test_one_login_for_everything_still_meets_the_wall(
    programs: str, rights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The simplest deployment: a new server, one login that owns the database and serves it."""
    monkeypatch.delenv("PMS_TEST_DATABASE_URL", raising=False)
    try:
        folder = programs_of_the_wheel() if programs == "wheel" else None
        server = start_postgresql(folder, with_roles=False)
    except MissingServerError as missing:
        give_up(str(missing))
    try:
        serve_with_one_login(server, rights, tmp_path)
    finally:
        server.stop()


def serve_with_one_login(server: PostgreSQL, rights: str, folder: Path) -> None:
    server.run(sql.SQL("CREATE ROLE pms LOGIN {}").format(sql.SQL(rights)))
    server.run(sql.SQL("CREATE DATABASE pms OWNER pms").format())
    settings = settings_of_a_test(folder, PMS_DATABASE_URL=server.url("pms", "pms"))
    migrate(settings)
    database = Database(settings)
    cast = introduce(database)
    with database.reading(cast.sumida.workspace_id) as session:
        seen = session.connection().exec_driver_sql("SELECT current_user, count(*) FROM unit")
        assert tuple(seen.one()) == ("pms_app", 4)
    database.dispose()
    with psycopg.connect(server.url("pms", "pms").replace("+psycopg", "")) as link:
        # The owner is bound by the wall; a superuser is not, until it takes on the role.
        link.execute("SET ROLE pms_app" if rights == "SUPERUSER" else "SELECT 1")
        assert link.execute("SELECT count(*) FROM unit").fetchone() == (0,)
