"""Opens database sessions: reading or writing, for one workspace or explicitly for all."""

import random
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
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
    LONGEST_PAUSE_SECONDS,
    NO_TRANSACTION,
    PATIENCE,
    PATIENCE_SECONDS,
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
    """A failure of the database that no user caused: the same request may succeed later."""

    CONFLICT = "conflict"
    """A deadlock or serialization failure: this transaction was rolled back."""
    LOCKED = "locked"
    """Another transaction held a lock for longer than the lock timeout."""
    AWAY = "away"
    """The database cannot be reached, or accepts no more connections."""
    UNWRITABLE = "unwritable"
    """The disk cannot be written: it is full or read-only."""


_BY_SQLITE_CODE: Final = {
    sqlite3.SQLITE_BUSY: Failure.LOCKED,
    sqlite3.SQLITE_LOCKED: Failure.LOCKED,
    sqlite3.SQLITE_CANTOPEN: Failure.AWAY,
    sqlite3.SQLITE_FULL: Failure.UNWRITABLE,
    sqlite3.SQLITE_IOERR: Failure.UNWRITABLE,
    sqlite3.SQLITE_READONLY: Failure.UNWRITABLE,
}
# Longer prefixes of a code come before shorter ones.
_BY_SQLSTATE: Final = {
    "40001": Failure.CONFLICT,
    "40P01": Failure.CONFLICT,
    "55P03": Failure.LOCKED,
    "53100": Failure.UNWRITABLE,
    "53": Failure.AWAY,
    "57P": Failure.AWAY,
    "08": Failure.AWAY,
}
_PRIMARY: Final = 0xFF  # mask: SQLite's primary code is the lowest byte


def failure_of(error: BaseException) -> Failure | None:
    """Return the kind of a failure; `None` for any other error, such as a violated constraint.

    Accepts errors of SQLAlchemy, and errors of the drivers where these are used directly.
    """
    if isinstance(error, PoolTimeout):
        return Failure.AWAY
    cause: Any = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        return None if code is None else _BY_SQLITE_CODE.get(code & _PRIMARY)
    if not type(cause).__module__.startswith("psycopg"):
        return None
    state: str | None = cause.sqlstate
    if state is None:
        # No code from the server: the connection was lost, or never made.
        return Failure.AWAY if type(cause).__name__ == "OperationalError" else None
    return next((kind for begins, kind in _BY_SQLSTATE.items() if state.startswith(begins)), None)


def kinds_of_failure(settings: Settings) -> tuple[type[Exception], ...]:
    """Return the error classes of the configured database; only its driver is imported."""
    if settings.is_sqlite:
        return DBAPIError, PoolTimeout, sqlite3.Error
    import psycopg

    return DBAPIError, PoolTimeout, psycopg.Error


def retry_after_conflict(transaction: Callable[[], Answer]) -> Answer:
    """Return the result of a transaction, which is retried after a conflict, five tries in all.

    The function is a whole transaction, from its beginning to its commit, and has no other effects:
    a failed try is rolled back.
    """
    for tries in range(1, MOST_TRIES):
        try:
            return transaction()
        except Exception as error:
            if failure_of(error) is not Failure.CONFLICT:
                raise
        # A random pause, so that the two do not collide again.
        time.sleep(random.uniform(0, _PAUSE_SECONDS * tries))
    return transaction()


SESSION_RULES = (versions,)
"""Modules of event listeners that apply to every session; imported here to be registered always."""

_IMPATIENT = "SET LOCAL lock_timeout = '200ms'"
_log = structlog.get_logger("pms.foundation.database")

_OPENED = "pms_opened"

BASE_URL: Final = "base_url"
"""The program's own address among the facts of a session, for links in mails."""


class Database:
    """The configured database; engines open lazily, so that each process has its own.

    On SQLite a writer waits at most `patience_seconds` for the writers before it.
    """

    def __init__(self, settings: Settings, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self.settings = settings
        self._patience_seconds = patience_seconds
        self.signer = Signer(settings.secret_key)
        self._held = IdleConnections(self._hold_connection)
        self._building_ids: tuple[str, ...] | None = None

    def within_buildings(self, building_ids: Iterable[str]) -> "Database":
        """Return this database with sessions that see and write these buildings of a workspace."""
        # The copy shares connections: its engines are those that are open.
        bound = copy(self)
        vars(bound).update(
            engine=self.engine,
            reading_engine=self.reading_engine,
            _impatient_engine=self._impatient_engine,
            _building_ids=tuple(sorted(building_ids)),
        )
        return bound

    @cached_property
    def engine(self) -> Engine:
        engine = make_engine(self.settings)
        engine.update_execution_options(**{PATIENCE: self._patience_seconds})
        return engine

    @cached_property
    def reading_engine(self) -> Engine:
        """The same pool, with transactions that never take the write lock."""
        engine = self.engine.execution_options(**{READ_ONLY: True})
        event.listen(engine, "before_cursor_execute", without_lock, retval=True)
        return engine

    @cached_property
    def _impatient_engine(self) -> Engine:
        """The same pool, with writers that do not wait for SQLite's lock."""
        return self.engine.execution_options(**{PATIENCE: 0.0})

    def dispose(self) -> None:
        """Close every connection; the next use opens new ones."""
        self._held.close()
        if "engine" in vars(self):
            self.engine.dispose()

    @contextmanager
    def reading(self, workspace_id: str) -> Iterator[WorkspaceSession]:
        """Open a session of one workspace that writes nothing."""
        with self._open_session(self.reading_engine, workspace_id) as session:
            yield session

    def write(self, workspace_id: str, act: Callable[[WorkspaceSession], Answer]) -> Answer:
        """Return the result of `act`, run in one transaction with a session of one workspace.

        It is run again from its start after a conflict with another writer, so it reads what it
        needs itself and changes nothing but the session's rows. The result is returned after the
        commit.
        """

        def act_once() -> Answer:
            with self.writing(workspace_id) as session:
                return act(session)

        return retry_after_conflict(act_once)

    def write_as(
        self, workspace_id: str, clock: Clock, actor: str, act: Callable[[Work], Answer]
    ) -> Answer:
        """Return the result of `act`, run with a `Work` of this actor; otherwise like `write`."""
        return self.write(workspace_id, lambda session: act(Work(session, clock, actor)))

    def write_across_workspaces(self, act: Callable[[WorkspaceSession], Answer]) -> Answer:
        """Like `write`, with a session that may write in every workspace."""

        def act_once() -> Answer:
            with self.across_workspaces_writing() as session:
                return act(session)

        return retry_after_conflict(act_once)

    def note(self, workspace_id: str, act: Callable[[WorkspaceSession], object]) -> None:
        """Write something the response does not depend on, such as that a link was opened.

        It is skipped when the database cannot be written at this moment, so that reading still
        works.
        """
        try:
            with (
                self._open_session(self._impatient_engine, workspace_id) as session,
                session.begin(),
            ):
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
        """Like `note`, with a session that may write in every workspace."""
        self.note(EVERY_WORKSPACE, act)

    @contextmanager
    def writing(self, workspace_id: str) -> Iterator[WorkspaceSession]:
        """Open a writing session of one workspace; commit at the end, roll back on an error.

        A block cannot be retried: requests and jobs use `write` instead.
        """
        with (
            self._open_write_bind() as bind,
            self._open_session(bind, workspace_id) as session,
            session.begin(),
        ):
            yield session

    def let_others_write(self) -> None:
        """Pause between two transactions of long work, so that waiting writers have their turn.

        On SQLite they look for the lock every so often, and who begins again at once keeps it.
        """
        if self.settings.is_sqlite:
            time.sleep(LONGEST_PAUSE_SECONDS)

    @contextmanager
    def across_workspaces_reading(self) -> Iterator[WorkspaceSession]:
        """Open a reading session that sees every workspace.

        Only this and the next method open sessions without the workspace filter.
        """
        with self._open_session(self.reading_engine, EVERY_WORKSPACE) as session:
            yield session

    @contextmanager
    def across_workspaces_writing(self) -> Iterator[WorkspaceSession]:
        """Open a session that may write in every workspace; commit at the end."""
        with self._open_session(self.engine, EVERY_WORKSPACE) as session, session.begin():
            yield session

    @contextmanager
    def connection_across_workspaces(self) -> Iterator[Connection]:
        """Open a plain reading connection without a session."""
        with self.reading_engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                announce(connection, EVERY_WORKSPACE)
            yield connection

    def open_reading_connection(self) -> None:
        """Open the connection of the first session ahead of it; nothing is read."""
        self.reading_engine.connect().close()

    def ask_across_workspaces(self, question: Callable[[Connection], Answer]) -> Answer:
        """Return the result of one prepared statement of a hot path, on a connection kept open.

        Taking a connection from the pool, BEGIN and COMMIT would cost several times the statement.
        """
        connection = self._held.take()
        try:
            answer = question(connection)
        except Exception as failure:
            if not _is_lost(connection, failure):
                connection.close()
                raise
            # The server was restarted while the connections were idle: retry once on a new one.
            connection.invalidate()
            connection.close()
            self._held.close()
            connection = self._hold_connection()
            answer = question(connection)
        _give_back(self._held, connection)
        return answer

    def refresh_statistics(self) -> None:
        """Update the database's statistics, which its query planner needs.

        Run after a bulk load and once an hour. PostgreSQL also does so by itself in between, and
        only the owner of the tables may ask for it; SQLite reads a thousand entries of each index,
        so that a large file takes no longer than a small one.
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
        """Open a session of one workspace on a connection that is already open."""
        if connection.dialect.name == "postgresql":
            announce(connection, workspace_id)
        return WorkspaceSession(bind=connection, workspace_id=workspace_id)

    @contextmanager
    def _open_write_bind(self) -> Iterator[Engine | Connection]:
        """Return what a writing session is bound to: on SQLite, a connection that is kept open.

        Its page cache stays valid after writes of this process; another connection would have to
        read the pages again, which costs more than most statements
        (docs/decisions/locks-and-retries.md).
        """
        if not self.settings.is_sqlite:
            yield self.engine
            return
        connection = self._held.take()
        if connection.in_transaction():
            # A look-up by SQLAlchemy itself began a transaction without sending BEGIN to SQLite: a
            # session that joined it would write outside of any transaction.
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

    def _hold_connection(self) -> Connection:
        connection = self._hold_alone()
        if connection.dialect.name == "postgresql":
            announce(connection, EVERY_WORKSPACE, for_good=True)
        return connection

    def _hold_alone(self) -> Connection:
        """Open a connection whose transactions are begun and ended by its user."""
        connection = self.engine.connect()
        connection.info[_OPENED] = monotonic()
        is_postgresql = connection.dialect.name == "postgresql"
        if is_postgresql:
            connection.execution_options(isolation_level="AUTOCOMMIT")
        # Removed from the pool for good: on PostgreSQL no session may get this connection and its
        # access.
        connection.detach()
        if not is_postgresql:
            connection.info[NO_TRANSACTION] = True
        return connection

    def _open_session(self, bind: Engine | Connection, workspace_id: str) -> WorkspaceSession:
        return WorkspaceSession(
            bind=bind,
            workspace_id=workspace_id,
            building_ids=None if workspace_id == EVERY_WORKSPACE else self._building_ids,
            expire_on_commit=False,
            info={SIGNER: self.signer, BASE_URL: self.settings.base_url},
        )


def _give_back(held: IdleConnections[Connection], connection: Connection) -> None:
    """Keep a connection for reuse; on SQLite close an old one, which reads statistics only once."""
    age = monotonic() - connection.info.get(_OPENED, 0.0)
    if connection.dialect.name == "sqlite" and age > STATISTICS_SECONDS:
        connection.close()
    else:
        held.give_back(connection)


def _is_lost(connection: Connection, failure: Exception) -> bool:
    """Whether the connection was lost; `failure` is an error of SQLAlchemy or of the driver."""
    if isinstance(failure, DBAPIError):
        return failure.connection_invalidated
    driver = connection.connection.dbapi_connection
    known: Any = connection.dialect
    return bool(known.is_disconnect(failure, driver, None))
