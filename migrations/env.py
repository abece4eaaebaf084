"""Runs migrations on the connection it is handed, for SQLite and PostgreSQL alike."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import CHAR, JSON

from pms.foundation.db import Exact, Instant, Recorded
from pms.tables import metadata


def render(kind: str, item: Any, _: AutogenContext) -> str | Literal[False]:
    """Write our own column types by their names."""
    if kind == "type" and isinstance(item, Exact | Instant | Recorded):
        return type(item).__name__
    if kind == "type" and isinstance(item, CHAR) and item.length == 32:
        return "Id"
    if kind == "type" and isinstance(item, JSON):
        return "Json"
    return False


connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=True,
    render_item=render,
    compare_type=True,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
