"""Runs the hottest writes on the driver itself, written once for each kind of database."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Dialect, Update, bindparam, insert, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ValuesBase

from pms.foundation.prepared_writing import PreparedWriting, Writing
from pms.foundation.tenancy import OWN_WORKSPACE, OfWorkspace, workspace_of

_AT: Final = "at_id"
_OWN: Final = "workspace_id"
_ID: Final = "id"
Row = tuple[Any, ...]


class _Written(NamedTuple):
    """A statement as the driver takes it, and how each of its values is told."""

    sql: str
    tellers: Mapping[str, Callable[[Any], Any]]


class _PreparedWrite:
    """A statement whose way through the layers would cost several times the statement itself.

    It passes the events of a session by, so it is for tables whose rows raise no version and
    derive no column; the wall is part of the statement.
    """

    def __init__(
        self, model: type[OfWorkspace], statement: ValuesBase, columns: Sequence[str]
    ) -> None:
        if model.raises_version or model.derived_from:
            raise TypeError(f"{model.__name__} is written by the session alone.")
        self._model = model
        self._statement = statement
        self._columns = columns
        self._written: dict[str, _Written] = {}

    def _run(self, session: Writing, values: Mapping[str, object]) -> Any:
        session.flush()
        connection = session.connection()
        dialect = connection.dialect
        written = self._written.get(dialect.name) or self._write(dialect)
        tellers = written.tellers
        told = {
            name: tellers[name](value) if name in tellers else value
            for name, value in values.items()
        }
        for watch in connection.dispatch.before_cursor_execute:
            watch(connection, None, written.sql, told, None, False)
        driver: Any = connection.connection.dbapi_connection
        return driver.execute(written.sql, told)

    def _write(self, dialect: Dialect) -> _Written:
        # Both drivers take values by name; SQLite's dialect writes them by position otherwise.
        style = "named" if dialect.name == "sqlite" else dialect.paramstyle
        compiled, tellers = self._compiled(dialect, style)
        return self._written.setdefault(dialect.name, _Written(str(compiled), tellers))

    def _compiled(
        self, dialect: Dialect, style: str
    ) -> tuple[Any, Mapping[str, Callable[[Any], Any]]]:
        kind: Any = type(dialect)
        compiled: Any = self._statement.compile(
            dialect=kind(paramstyle=style), column_keys=list(self._columns)
        )
        found = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect)
            for name, bind in compiled.binds.items()
        }
        return compiled, {name: tell for name, tell in found.items() if tell is not None}


class PreparedInsert(_PreparedWrite):
    """Stores a row whose columns are all told."""

    def __init__(self, model: type[OfWorkspace], *columns: str) -> None:
        super().__init__(model, insert(model), (_OWN, _ID, *columns))

    def run(self, session: Writing, **values: object) -> None:
        """Store the row in the session's workspace."""
        self._run(session, {**values, _OWN: workspace_of(session)})


class PreparedClaim(_PreparedWrite):
    """Stores a row unless another has its unique key, whoever is just writing that included."""

    def __init__(self, model: type[OfWorkspace], *columns: str) -> None:
        super().__init__(model, insert(model), (_OWN, _ID, *columns))

    def run(self, session: Writing, **values: object) -> bool:
        """Store the row in the session's workspace; tell whether its key was free."""
        claimed = self._run(session, {**values, _OWN: workspace_of(session)}).rowcount
        return bool(claimed)

    def _write(self, dialect: Dialect) -> _Written:
        # The words are the same, but each dialect has a statement of its own for them.
        own = postgresql.insert if dialect.name == "postgresql" else sqlite.insert
        self._statement = own(self._model).on_conflict_do_nothing()
        return super()._write(dialect)


class PreparedChange(_PreparedWrite):
    """Changes rows by a statement of its own and returns what it says, as the driver tells it.

    For tables no session keeps rows of: what is loaded already is not read anew.
    """

    def __init__(self, model: type[OfWorkspace], statement: Update) -> None:
        walled: Any = statement.where(model.workspace_id == bindparam(OWN_WORKSPACE))
        super().__init__(model, walled, ())

    def run(self, session: Writing, **values: object) -> list[Row]:
        """Change the rows of the session's workspace."""
        found: list[Row] = self._run(
            session, {**values, OWN_WORKSPACE: workspace_of(session)}
        ).fetchall()
        return found


class PreparedUpdate(_PreparedWrite):
    """Writes some columns of one row."""

    def __init__(self, model: type[OfWorkspace], *columns: str) -> None:
        is_it = (model.workspace_id == bindparam(OWN_WORKSPACE), model.id == bindparam(_AT))
        super().__init__(model, update(model).where(*is_it), columns)

    def run(self, session: Writing, id_: str, **values: object) -> None:
        """Write the row of an id in the session's workspace; what is loaded of it is read anew."""
        own = workspace_of(session)
        self._run(session, {**values, _AT: id_, OWN_WORKSPACE: own})
        if isinstance(session, PreparedWriting):
            return
        loaded = session.identity_map.get(session.identity_key(self._model, (own, id_)))
        if loaded is not None:
            session.expire(loaded)
