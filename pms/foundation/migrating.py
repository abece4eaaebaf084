"""Migrates a database to the newest schema, once even when several processes start together.

Alembic is imported where it is used: each web worker asks which migration a database is at, and
Alembic takes more memory than Flask.
"""

import fcntl
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, column, inspect, select, table

from pms.foundation.db import make_engine
from pms.foundation.errors import Refused
from pms.foundation.settings import Settings
from pms.foundation.tokens import Signer

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK = 7_215_904_311
MIGRATIONS: Final = Path(__file__).parents[2] / "migrations"
_REVISIONS: Final = re.compile(r'^(revision|down_revision)\b[^=\n]*= "(\w+)"', re.MULTILINE)
_VERSION: Final = table("alembic_version", column("version_num"))


@cache
def current_head() -> str:
    """Return the newest revision in this release: the one that no other revises."""
    pairs = [
        found
        for path in sorted((MIGRATIONS / "versions").glob("*.py"))
        for found in _REVISIONS.findall(path.read_text(encoding="utf-8"))
    ]
    below = {revision for name, revision in pairs if name == "down_revision"}
    heads: set[str] = {revision for name, revision in pairs if name == "revision"} - below
    (head,) = heads
    return head


def database_head(connection: Connection) -> str | None:
    """Return the revision a database is at, `None` for an empty one."""
    if not inspect(connection).has_table(_VERSION.name):
        return None
    found: str | None = connection.scalar(select(_VERSION.c.version_num))
    return found


def migrate(settings: Settings, revision: str = "head") -> None:
    """Migrate the configured database up (or down) to a revision, under a lock."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    engine = make_engine(settings, as_owner=True)
    try:
        with _hold_migration_lock(settings), engine.connect() as connection:
            if not settings.is_sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_lock({_LOCK})")
                connection.commit()
            signer = Signer(settings.secret_key)
            from alembic import command

            config = _build_config()
            config.attributes["connection"] = connection
            # For migrations that seal or open what is stored.
            config.attributes["signer"] = signer
            current = database_head(connection)
            connection.commit()
            is_down = _is_down(current, revision)
            (command.downgrade if is_down else command.upgrade)(config, revision)
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
    from alembic.script import ScriptDirectory

    return [
        script.revision for script in ScriptDirectory.from_config(_build_config()).walk_revisions()
    ]


def _is_down(current: str | None, revision: str) -> bool:
    known = _known_revisions()
    return revision == "base" or (
        current in known and revision in known[known.index(current) + 1 :]
    )


def _build_config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


@contextmanager
def _hold_migration_lock(settings: Settings) -> Iterator[None]:
    # PostgreSQL has its advisory lock; several processes on one SQLite file wait for this lock.
    if not settings.is_sqlite:
        yield
        return
    with (settings.data_dir / "migrating.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
