"""A database can be brought to the newest schema, emptied again, and brought there once more."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, inspect

from pms.foundation.db import make_engine
from pms.foundation.migrating import current_head, database_head, migrate
from pms.foundation.settings import Settings
from pms.tables import metadata

pytestmark = pytest.mark.differs("migrations")


@pytest.fixture
def engine(settings: Settings) -> Engine:
    return make_engine(settings, as_owner=True)


def test_up_down_and_up_again_leaves_the_same_schema(settings: Settings, engine: Engine) -> None:
    with engine.connect() as connection:
        before = described(connection)
    migrate(settings, "base")
    with engine.connect() as connection:
        assert set(inspect(connection).get_table_names()) == {"alembic_version"}
        assert database_head(connection) is None
    migrate(settings)
    with engine.connect() as connection:
        assert described(connection) == before
        assert database_head(connection) == current_head()
    engine.dispose()


def test_the_migrated_schema_is_the_one_the_tables_declare(engine: Engine) -> None:
    with engine.connect() as connection:
        options = {"compare_type": True, "include_name": is_declared}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_migrating_twice_changes_nothing(settings: Settings, engine: Engine) -> None:
    with engine.connect() as connection:
        before = described(connection)
    migrate(settings)
    with engine.connect() as connection:
        assert described(connection) == before
    engine.dispose()


def is_declared(name: str | None, kind: str, parents: object) -> bool:
    """The request budget and the queue are no tables of the models: they have their own storage."""
    return kind != "table" or not (name or "").startswith(("request_budget", "huey_"))


def described(connection: Connection) -> list[tuple[object, ...]]:
    """The schema as the database itself tells it."""
    if connection.dialect.name == "sqlite":
        question = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
    else:
        question = """
            SELECT table_name, column_name, data_type, is_nullable
            FROM information_schema.columns WHERE table_schema = 'public'
            UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), ''
            FROM pg_constraint WHERE connamespace = 'public'::regnamespace
            UNION ALL SELECT tablename, policyname, qual, coalesce(with_check, '') FROM pg_policies
            UNION ALL SELECT tablename, indexname, indexdef, '' FROM pg_indexes
            WHERE schemaname = 'public'
            ORDER BY 1, 2, 3"""
    return [tuple(row) for row in connection.exec_driver_sql(question)]
