"""Opens units of work: read or write, bound to one workspace or, by name, to all."""

import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import cached_property
from time import monotonic
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pms.foundation import versions
from pms.foundation.clock import Clock
from pms.foundation.db import (
    NO_TRANSACTION,
    PATIENCE,
    READ_ONLY,
    STATISTICS_SECONDS,
    IdleConnections,
    make_engine,
    without_lock,
)
from pms.foundation.sealing import SIGNER
from pms.foundation.settings import Settings
from pms.foundation.tenancy import EVERY_WORKSPACE, WorkspaceSession, announce
from pms.foundation.tokens import Signer
from pms.foundation.work import Work

MOST_TRIES: Final = 5
_PAUSE_SECONDS: Final = 0.02

Answer = TypeVar("Answer")


class Failure(StrEnum):
    """A failure that is nobody's mistake: the same request may succeed later."""

    CONFLICT = "conflict"
    """Two transactions waited for each other, and this one was given up."""
    LOCKED = "locked"
    """Somebody else held a lock for longer than anybody waits for one."""
    AWAY = "away"
    """The database cannot be reached, or takes no more connections."""
    UNWRITABLE = "unwritable"
    """The disk takes nothing more: it is full, or may only be read."""


_BY_SQLITE_CODE: Final = {
    sqlite3.SQLITE_BUSY: Failure.LOCKED,
    sqlite3.SQLITE_LOCKED: Failure.LOCKED,
    sqlite3.SQLITE_CANTOPEN: Failure.AWAY,
    sqlite3.SQLITE_FULL: Failure.UNWRITABLE,
    sqlite3.SQLITE_IOERR: Failure.UNWRITABLE,
    sqlite3.SQLITE_READONLY: Failure.UNWRITABLE,
}
# Longer beginnings of a code come before shorter ones.
_BY_SQLSTATE: Final = {
    "40001": Failure.CONFLICT,
    "40P01": Failure.CONFLICT,
    "55P03": Failure.LOCKED,
    "53100": Failure.UNWRITABLE,
    "53": Failure.AWAY,
    "57P": Failure.AWAY,
    "08": Failure.AWAY,
}
_PRIMARY: Final = 0xFF  # the lowest byte of an extended code of SQLite names its kind


def failure_of(error: BaseException) -> Failure | None:
    """Return the kind of a failure; `None` for any other error, such as a broken constraint.

    Takes what SQLAlchemy raises, and what the drivers raise where they are asked themselves.
    """
    if isinstance(error, PoolTimeout):
        return Failure.AWAY
    met: Any = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(met, sqlite3.Error):
        code = getattr(met, "sqlite_errorcode", None)
        return None if code is None else _BY_SQLITE_CODE.get(code & _PRIMARY)
    if not type(met).__module__.startswith("psycopg"):
        return None
    state: str | None = met.sqlstate
    if state is None:
        # The server told nothing: the connection broke, or there never was one.
        return Failure.AWAY if type(met).__name__ == "OperationalError" else None
    return next((kind for begins, kind in _BY_SQLSTATE.items() if state.startswith(begins)), None)


def kinds_of_failure(settings: Settings) -> tuple[type[Exception], ...]:
    """Return the classes of what the database of the settings raises; only its driver is loaded."""
    if settings.is_sqlite:
        return DBAPIError, PoolTimeout, sqlite3.Error
    import psycopg

    return DBAPIError, PoolTimeout, psycopg.Error


def tried_again(transaction: Callable[[], Answer]) -> Answer:
    """Return what the work returns; after a conflict it runs again from its start.

    The work is a whole transaction, from its beginning to its commit, and changes nothing else:
    what failed has left no trace. It is tried five times in all.
    """
    for tries in range(1, MOST_TRIES):
        try:
            return transaction()
        except Exception as error:
            if failure_of(error) is not Failure.CONFLICT:
                raise
        # Not both at the same moment again.
        time.sleep(random.uniform(0, _PAUSE_SECONDS * tries))
    return transaction()


SESSION_RULES = (versions,)
"""What every session obeys from its first statement on, whichever rooms are loaded."""

_IMPATIENT = "SET LOCAL lock_timeout = '200ms'"
_log = structlog.get_logger("pms.foundation.database")

_OPENED = "pms_opened"


class Database:
    """The database of the settings; engines open lazily, so that each process has its own."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.signer = Signer(settings.secret_key)
        self._held = IdleConnections(self._hold)

    @cached_property
    def engine(self) -> Engine:
        return make_engine(self.settings)

    @cached_property
    def reading_engine(self) -> Engine:
        """The same pool, whose transactions never take the write lock."""
        engine = self.engine.execution_options(**{READ_ONLY: True})
        event.listen(engine, "before_cursor_execute", without_lock, retval=True)
        return engine

    @cached_property
    def _impatient_engine(self) -> Engine:
        """The same pool, whose writers wait for nobody."""
        return self.engine.execution_options(**{PATIENCE: 0.0})

    def dispose(self) -> None:
        """Close every connection; the next use opens new ones."""
        self._held.close()
        if "engine" in vars(self):
            self.engine.dispose()

    @contextmanager
    def reading(self, workspace_id: str) -> Iterator[WorkspaceSession]:
        """Give a session of one workspace that writes nothing."""
        with self._session(self.reading_engine, workspace_id) as session:
            yield session

    def write(self, workspace_id: str, act: Callable[[WorkspaceSession], Answer]) -> Answer:
        """Return what `act` returns, which writes with a session of one workspace, all or nothing.

        It runs again from its start after a conflict with another writer, so it reads what it
        needs itself and changes nothing but the session's rows. What it returns is committed.
        """

        def act_once() -> Answer:
            with self.writing(workspace_id) as session:
                return act(session)

        return tried_again(act_once)

    def write_as(
        self, workspace_id: str, clock: Clock, actor: str, act: Callable[[Work], Answer]
    ) -> Answer:
        """Return what `act` returns, which works as somebody; else as `write` does."""
        return self.write(workspace_id, lambda session: act(Work(session, clock, actor)))

    def write_across_workspaces(self, act: Callable[[WorkspaceSession], Answer]) -> Answer:
        """Do as `write` does, with a session that may write in every workspace."""

        def act_once() -> Answer:
            with self.across_workspaces_writing() as session:
                return act(session)

        return tried_again(act_once)

    def note(self, workspace_id: str, act: Callable[[WorkspaceSession], object]) -> None:
        """Write what an answer does not hang on, such as that a link was opened.

        Where the database takes nothing at this moment it is left out: reading works on.
        """
        try:
            with self._session(self._impatient_engine, workspace_id) as session, session.begin():
                connection = session.connection()
                if connection.dialect.name == "postgresql":
                    connection.exec_driver_sql(_IMPATIENT).close()
                act(session)
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            _log.warning("note left out", failure=failure.value)

    def note_across_workspaces(self, act: Callable[[WorkspaceSession], object]) -> None:
        """Do as `note` does, with a session that may write in every workspace."""
        self.note(EVERY_WORKSPACE, act)

    @contextmanager
    def writing(self, workspace_id: str) -> Iterator[WorkspaceSession]:
        """Give a session of one workspace; commit at the end, roll back on an error.

        A block cannot be run again: what serves people and jobs calls `write` instead.
        """
        with (
            self._writer() as bind,
            self._session(bind, workspace_id) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def across_workspaces_reading(self) -> Iterator[WorkspaceSession]:
        """Give a session that sees every workspace; the only exit, with the next."""
        with self._session(self.reading_engine, EVERY_WORKSPACE) as session:
            yield session

    @contextmanager
    def across_workspaces_writing(self) -> Iterator[WorkspaceSession]:
        """Give a session that may write in every workspace; commit at the end."""
        with self._session(self.engine, EVERY_WORKSPACE) as session, session.begin():
            yield session

    @contextmanager
    def connection_across_workspaces(self) -> Iterator[Connection]:
        """Give a bare reading connection."""
        with self.reading_engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                announce(connection, EVERY_WORKSPACE)
            yield connection

    def ask_across_workspaces(self, question: Callable[[Connection], Answer]) -> Answer:
        """Answer one prepared statement of the hot paths, on a connection kept open for them.

        Borrowing one, beginning and ending would cost several times the statement itself.
        """
        connection = self._held.take()
        try:
            answer = question(connection)
        except Exception as failure:
            if not _is_lost(connection, failure):
                connection.close()
                raise
            # The server was restarted while the connections were idle: one try on a new one.
            connection.invalidate()
            connection.close()
            self._held.close()
            connection = self._hold()
            answer = question(connection)
        _give_back(self._held, connection)
        return answer

    def refresh_statistics(self) -> None:
        """Have the database count its rows, by which it plans; until it has, it plans blindly.

        Done after a bulk load and once an hour. PostgreSQL counts by itself in between, and lets
        the owner alone be asked; SQLite looks at a thousand entries of each index, so that a large
        file is done as soon as a small one.
        """
        engine = make_engine(self.settings, as_owner=True)
        try:
            with engine.connect() as connection:
                if self.settings.is_sqlite:
                    connection.exec_driver_sql("PRAGMA analysis_limit = 1000")
                connection.exec_driver_sql("ANALYZE")
                connection.commit()
        finally:
            engine.dispose()

    @staticmethod
    def session_on(connection: Connection, workspace_id: str) -> WorkspaceSession:
        """Bind a session of one workspace to a connection that is already open."""
        if connection.dialect.name == "postgresql":
            announce(connection, workspace_id)
        return WorkspaceSession(bind=connection, workspace_id=workspace_id)

    @contextmanager
    def _writer(self) -> Iterator[Engine | Connection]:
        """Give what a writing session is bound to: on SQLite, a connection that is kept open.

        It saw what this process wrote before; another one would find all it knew outdated by that
        and read it again, which costs more than most statements
        (docs/decisions/locks-and-retries.md).
        """
        if not self.settings.is_sqlite:
            yield self.engine
            return
        connection = self._held.take()
        if connection.in_transaction():
            # A look-up by SQLAlchemy's own means began one without a word to SQLite: a session
            # that joined it would write outside of any.
            connection.rollback()
        connection.info[NO_TRANSACTION] = False
        try:
            yield connection
        finally:
            if connection.closed or connection.invalidated or connection.in_transaction():
                connection.close()
            else:
                connection.info[NO_TRANSACTION] = True
                _give_back(self._held, connection)

    def _hold(self) -> Connection:
        connection = self._hold_alone()
        if connection.dialect.name == "postgresql":
            announce(connection, EVERY_WORKSPACE, for_good=True)
        return connection

    def _hold_alone(self) -> Connection:
        """Open a connection whose transactions are begun and ended by its holder."""
        connection = self.engine.connect()
        connection.info[_OPENED] = monotonic()
        is_postgresql = connection.dialect.name == "postgresql"
        if is_postgresql:
            connection.execution_options(isolation_level="AUTOCOMMIT")
        # Out of the pool for good: what it may see must never come to a session of PostgreSQL.
        connection.detach()
        if not is_postgresql:
            connection.info[NO_TRANSACTION] = True
        return connection

    def _session(self, bind: Engine | Connection, workspace_id: str) -> WorkspaceSession:
        return WorkspaceSession(
            bind=bind,
            workspace_id=workspace_id,
            expire_on_commit=False,
            info={SIGNER: self.signer},
        )


def _give_back(held: IdleConnections[Connection], connection: Connection) -> None:
    """Keep a connection for the next; one to SQLite not for ever, for it reads statistics once."""
    age = monotonic() - connection.info.get(_OPENED, 0.0)
    if connection.dialect.name == "sqlite" and age > STATISTICS_SECONDS:
        connection.close()
    else:
        held.give_back(connection)


def _is_lost(connection: Connection, failure: Exception) -> bool:
    """Tell whether the connection broke, whether SQLAlchemy or the driver itself was asked."""
    if isinstance(failure, DBAPIError):
        return failure.connection_invalidated
    driver = connection.connection.dbapi_connection
    known: Any = connection.dialect
    return bool(known.is_disconnect(failure, driver, None))
