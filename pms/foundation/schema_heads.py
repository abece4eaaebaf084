"""Returns a database's migration and the newest one, without importing Alembic.

The readiness probe needs it in every web worker; Alembic takes more memory than Flask.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, column, inspect, select, table

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
