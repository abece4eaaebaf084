"""Brings a database to the newest schema, once however many processes ask."""

import fcntl
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, column, inspect, select, table

from pms.foundation.db import make_engine
from pms.foundation.errors import Refused
from pms.foundation.settings import Settings

# Read without Alembic: a probe asks it of every web worker, and the library with all it loads weighs
# more than Flask.
MIGRATIONS: Final = Path(__file__).parents[2] / "migrations"
_TOLD: Final = re.compile(r'^(revision|down_revision)\b[^=\n]*= "(\w+)"', re.MULTILINE)
_VERSION: Final = table("alembic_version", column("version_num"))


@cache
def current_head() -> str:
    """Return the newest revision this program knows: the one that no other builds upon."""
    told = [
        found
        for path in sorted((MIGRATIONS / "versions").glob("*.py"))
        for found in _TOLD.findall(path.read_text(encoding="utf-8"))
    ]
    below = {revision for name, revision in told if name == "down_revision"}
    heads: set[str] = {revision for name, revision in told if name == "revision"} - below
    (head,) = heads
    return head


def database_head(connection: Connection) -> str | None:
    """Return the revision a database is at, `None` for an empty one."""
    if not inspect(connection).has_table(_VERSION.name):
        return None
    found: str | None = connection.scalar(select(_VERSION.c.version_num))
    return found


_LOCK = 7_215_904_311


def migrate(settings: Settings, revision: str = "head") -> None:
    """Move the database of the settings up (or down) to a revision, under a lock."""
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
    """Tell whether going to a revision would move down; raise `Refused` for an unknown one."""
    engine = make_engine(settings, as_owner=True)
    try:
        with engine.connect() as connection:
            here = database_head(connection)
    finally:
        engine.dispose()
    if revision not in ("head", "base", *_known()):
        raise Refused("There is no migration '{revision}'.", revision=revision[:60])
    return here is not None and _is_down(here, revision)


def _known() -> list[str]:
    return [one.revision for one in ScriptDirectory.from_config(_config()).walk_revisions()]


def _is_down(here: str | None, revision: str) -> bool:
    known = _known()
    return revision == "base" or (here in known and revision in known[known.index(here) + 1 :])


def _move(connection: Connection, revision: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    here = database_head(connection)
    connection.commit()
    is_down = _is_down(here, revision)
    (command.downgrade if is_down else command.upgrade)(config, revision)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


@contextmanager
def _alone(settings: Settings) -> Iterator[None]:
    # PostgreSQL has its advisory lock; several processes on one SQLite file queue up here.
    if not settings.is_sqlite:
        yield
        return
    with (settings.data_dir / "migrating.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
