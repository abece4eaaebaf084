"""Inserts rows and passes over those that are there already, without an error on either database."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from pms.foundation.db import Base


def insert_new(session: Session, model: type[Base], rows: Sequence[dict[str, Any]]) -> None:
    """Insert the rows whose unique keys are not taken; who writes the same at once is waited for."""
    is_postgresql = session.connection().dialect.name == "postgresql"
    insert = postgresql.insert if is_postgresql else sqlite.insert
    if rows:
        session.execute(insert(model).on_conflict_do_nothing(), list(rows))
