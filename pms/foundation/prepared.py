"""Runs the most frequent statements directly on the driver, compiled once per kind of database."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, Dialect, Select, TypeDecorator, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import InstrumentedAttribute, Session
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType

from pms.foundation.tenancy import (
    OWN_WORKSPACE,
    WallTouchedError,
    add_building_wall,
    add_wall,
    buildings_of,
    workspace_of,
)

Row = tuple[Any, ...]
_FEW = 1_000
_OWN_BUILDINGS: Final = "own_building_ids"


class _Written(NamedTuple):
    """A statement compiled for the driver, its own values, and the readers of its columns."""

    sql: str
    values: Mapping[str, Any]
    readers: tuple[tuple[int, Callable[[Any], Any]], ...]


class PreparedStatement:
    """A statement run without SQLAlchemy's layers, which would cost several times the statement."""

    def __init__(self, statement: Select[*tuple[Any, ...]]) -> None:
        self._statement = statement
        self._written: dict[str, _Written] = {}

    def first(self, connection: Connection, **values: object) -> Row | None:
        """Return the first row, if there is one."""
        rows = self._run_statement(connection, values)
        return rows[0] if rows else None

    def all_on(self, connection: Connection, **values: object) -> list[Row]:
        """Return all rows; the connection filters no workspace, only the statement does."""
        return self._run_statement(connection, values)

    def _run_statement(self, connection: Connection, values: Mapping[str, object]) -> list[Row]:
        dialect = connection.dialect
        written = self._written.get(dialect.name) or self._compile_statement(dialect)
        driver: Any = connection.connection.dbapi_connection
        facts = {name: _bound_values(value, dialect) for name, value in values.items()}
        facts = {**written.values, **facts}
        for watch in connection.dispatch.before_cursor_execute:
            watch(connection, None, written.sql, facts, None, False)
        rows: list[Row] = driver.execute(written.sql, facts).fetchall()
        return [_convert_row(row, written.readers) for row in rows] if written.readers else rows

    def _compile_statement(self, dialect: Dialect) -> _Written:
        # Both drivers take values by name; SQLite's dialect would compile them by position.
        style = "named" if dialect.name == "sqlite" else dialect.paramstyle
        kind: Any = type(dialect)
        compiled = self._statement.compile(dialect=kind(paramstyle=style))
        values = {name: value for name, value in compiled.params.items() if value is not None}
        types = (column.type for column in self._statement.selected_columns)
        found = (type_.dialect_impl(dialect).result_processor(dialect, None) for type_ in types)
        readers = tuple((place, read) for place, read in enumerate(found) if read is not None)
        return self._written.setdefault(dialect.name, _Written(str(compiled), values, readers))


class PreparedInWorkspace(PreparedStatement):
    """A prepared statement with the workspace conditions that a session would have added."""

    def __init__(self, statement: Select[*tuple[Any, ...]]) -> None:
        super().__init__(add_wall(statement))
        self._within_buildings: PreparedStatement | None = None

    def all(self, session: Session, **values: object) -> list[Row]:
        """Return the rows of the session's workspace, and of the buildings it is bound to."""
        own: dict[str, object] = {OWN_WORKSPACE: workspace_of(session)}
        session.flush()
        building_ids = buildings_of(session)
        if building_ids is None:
            return self._run_statement(session.connection(), values | own)
        if self._within_buildings is None:
            listed = _Each(bindparam(_OWN_BUILDINGS))
            self._within_buildings = PreparedStatement(add_building_wall(self._statement, listed))
        own[_OWN_BUILDINGS] = list(building_ids)
        return self._within_buildings.all_on(session.connection(), **values, **own)

    def _compile_statement(self, dialect: Dialect) -> _Written:
        written = super()._compile_statement(dialect)
        if OWN_WORKSPACE not in written.sql:
            raise WallTouchedError("Only mapped classes pass through a session of a workspace.")
        return written


def among(column: InstrumentedAttribute[Any], name: str) -> ColumnElement[bool]:
    """Return the condition that an id is in a list of any length, bound under a name."""
    return column.op("IN", is_comparison=True)(_Each(bindparam(name)))


def one_of(column: InstrumentedAttribute[Any], ids: Iterable[str]) -> ColumnElement[bool]:
    """Return the condition that an id is one of these, however many.

    Many are bound as one value: PostgreSQL accepts at most 65,535 parameters. A few are bound one
    by one, so that the planner knows how few they are and uses the index.
    """
    wanted = list(ids)
    if len(wanted) <= _FEW:
        return column.in_(wanted)
    return column.op("IN", is_comparison=True)(_Each(bindparam(None, wanted, _List(), unique=True)))


class _List(TypeDecorator[list[str]]):
    """A list in the form the driver takes."""

    impl = NullType
    cache_ok = True

    def process_bind_param(self, value: list[str] | None, dialect: Dialect) -> object:
        return _bound_values(value, dialect)


class _Each(FunctionElement[Any]):
    inherit_cache = True


@compiles(_Each, "sqlite")
def _each_on_sqlite(element: _Each, compiler: Any, **how: Any) -> str:
    return f"(SELECT value FROM json_each({compiler.process(element.clauses, **how)}))"


@compiles(_Each, "postgresql")
def _each_on_postgresql(element: _Each, compiler: Any, **how: Any) -> str:
    return f"(SELECT unnest(CAST({compiler.process(element.clauses, **how)} AS UUID[])))"


def _convert_row(row: Row, readers: tuple[tuple[int, Callable[[Any], Any]], ...]) -> Row:
    """Return a row with converted values; most columns need no conversion."""
    values = list(row)
    for place, read in readers:
        values[place] = read(values[place])
    return tuple(values)


def _bound_values(value: object, dialect: Dialect) -> object:
    """Return a value in the form the driver takes; SQLite has neither days nor lists."""
    if dialect.name != "sqlite":
        return value
    if isinstance(value, date):
        return value.isoformat()
    return msgspec.json.encode(value).decode() if isinstance(value, list) else value
