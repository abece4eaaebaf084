"""Runs the hottest statements on the driver itself, written once for each kind of database."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect, Select


class _Written(NamedTuple):
    """A statement as the driver takes it, and how its columns are read."""

    sql: str
    readers: tuple[Callable[[Any], Any] | None, ...]


class Prepared:
    """A statement whose way through the layers would cost five times the statement itself."""

    def __init__(self, statement: Select[*tuple[Any, ...]]) -> None:
        self._statement = statement
        self._written: dict[str, _Written] = {}

    def first(self, connection: Connection, **values: object) -> tuple[Any, ...] | None:
        """Return the first row, if there is one."""
        dialect = connection.dialect
        written = self._written.get(dialect.name) or self._write(dialect)
        driver: Any = connection.connection.dbapi_connection
        row = driver.execute(written.sql, values).fetchone()
        if row is None:
            return None
        return tuple(
            [
                value if read is None else read(value)
                for value, read in zip(row, written.readers, strict=True)
            ]
        )

    def _write(self, dialect: Dialect) -> _Written:
        # Both drivers take values by name; SQLite's dialect writes them by position otherwise.
        style = "named" if dialect.name == "sqlite" else dialect.paramstyle
        kind: Any = type(dialect)
        sql = str(self._statement.compile(dialect=kind(paramstyle=style)))
        types = (column.type for column in self._statement.selected_columns)
        readers = (type_.dialect_impl(dialect).result_processor(dialect, None) for type_ in types)
        return self._written.setdefault(dialect.name, _Written(sql, tuple(readers)))
