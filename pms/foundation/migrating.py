"""Migrates a database to the newest schema, once even when several processes start together."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from pms.foundation.db import make_engine
from pms.foundation.errors import Refused
from pms.foundation.schema_heads import MIGRATIONS, current_head, database_head
from pms.foundation.settings import Settings

__all__ = ["current_head", "database_head", "is_older", "migrate"]

_LOCK = 7_215_904_311


def migrate(settings: Settings, revision: str = "head") -> None:
    """Migrate the configured database up (or down) to a revision, under a lock."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    engine = make_engine(settings, as_owner=True)
    try:
        with _alone(settings), engine.connect() as connection:
            if not settings.is_sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_lock({_LOCK})")
                connection.commit()
            _move(connection, revision)
    finally:
        engine.dispose()


def is_older(settings: Settings, revision: str) -> bool:
    """Whether migrating to a revision is a downgrade; raise `Refused` for an unknown revision."""
    engine = make_engine(settings, as_owner=True)
    try:
        with engine.connect() as connection:
            current = database_head(connection)
    finally:
        engine.dispose()
    if revision not in ("head", "base", *_known_revisions()):
        raise Refused("Migration '{revision}' was not found.", revision=revision[:60])
    return current is not None and _is_down(current, revision)


def _known_revisions() -> list[str]:
    return [script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()]


def _is_down(current: str | None, revision: str) -> bool:
    known = _known_revisions()
    return revision == "base" or (
        current in known and revision in known[known.index(current) + 1 :]
    )


def _move(connection: Connection, revision: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    current = database_head(connection)
    connection.commit()
    is_down = _is_down(current, revision)
    (command.downgrade if is_down else command.upgrade)(config, revision)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


@contextmanager
def _alone(settings: Settings) -> Iterator[None]:
    # PostgreSQL has its advisory lock; several processes on one SQLite file wait for this lock.
    if not settings.is_sqlite:
        yield
        return
    with (settings.data_dir / "migrating.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
