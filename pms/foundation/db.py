"""The declarative base of all tables: naming, column types and the engine."""

import os
import random
import re
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec
from sqlalchemy import (
    CHAR,
    JSON,
    BigInteger,
    Connection,
    DateTime,
    Dialect,
    Engine,
    MetaData,
    String,
    TextClause,
    create_engine,
    event,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, UserDefinedType

from pms.foundation.errors import unreadable_stored
from pms.foundation.settings import Settings
from pms.rules.days import RecordedDay, read_day, write_day

APP_ROLE = "pms_app"
READ_ONLY = "pms_read_only"
NO_TRANSACTION = "pms_no_transaction"
PATIENCE = "pms_patience_seconds"
PATIENCE_SECONDS = 10.0
"""Seconds a writer waits for another on SQLite, unless its connection says otherwise."""
_BUSY_MILLISECONDS = 10_000
_FIRST_PAUSE_SECONDS = 0.001
LONGEST_PAUSE_SECONDS = 0.05
"""Seconds after which a writer that waits on SQLite looks for the lock again, at most."""
STATISTICS_SECONDS = 3600
"""Seconds a connection to SQLite is reused: it reads the planner's statistics when it opens."""


class Base(DeclarativeBase):
    """Base of all tables; constraint names follow one convention, so migrations can name them."""

    type_annotation_map = {int: BigInteger}  # noqa: RUF012  # SQLAlchemy reads it from the class

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class _HexUuid(UserDefinedType[str]):
    """PostgreSQL's uuid, read in Python as 32 hexadecimal digits."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "UUID"

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        return lambda value: None if value is None else value.hex


# A plain CHAR on SQLite, so that listing paths convert no ids.
Id = CHAR(32).with_variant(_HexUuid(), "postgresql")
Json = JSON().with_variant(JSONB(), "postgresql")


def only_where(condition: str) -> dict[str, Any]:
    """Return the options that make an index partial on both databases."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


def as_indexed(condition: str) -> TextClause:
    """Return the condition of a partial index as a query condition with the same text.

    With bound values, or with SQLite's comparison of booleans to a number, the index is not used.
    """
    return text(condition)


class Unindexed(FunctionElement[Any]):
    """A column whose condition SQLite answers by other conditions, not by an index of that column.

    SQLite's statistics are means over all workspaces: in a large one it would choose an index that
    finds nearly all rows. The plus sign is its documented way to leave an index out; PostgreSQL
    needs none.
    """

    inherit_cache = True


@compiles(Unindexed)
def _plain_column(element: Unindexed, compiler: Any, **how: Any) -> str:
    return str(compiler.process(element.clauses, **how))


@compiles(Unindexed, "sqlite")
def _column_without_index(element: Unindexed, compiler: Any, **how: Any) -> str:
    return f"+{compiler.process(element.clauses, **how)}"


_read_day = lru_cache(maxsize=8192)(read_day)


def _read_instant(value: str | datetime | None) -> datetime | None:
    if isinstance(value, str):
        return datetime.fromisoformat(value)
    return None if value is None else value.astimezone(UTC)


class Instant(TypeDecorator[datetime]):
    """An instant in UTC to the second; ISO text on SQLite, so that it also sorts there."""

    impl = String(20)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        if dialect.name == "postgresql":
            return dialect.type_descriptor(DateTime(timezone=True))
        return dialect.type_descriptor(String(20))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is None or dialect.name == "postgresql":
            return value
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        return _read_instant


class Recorded(TypeDecorator[RecordedDay]):
    """A calendar day as a source recorded it; a damaged one is stored and read as `CorruptDay`."""

    impl = String(40)
    cache_ok = True

    def process_bind_param(self, value: RecordedDay, dialect: Dialect) -> str | None:
        return write_day(value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        # The same few days come back thousands of times: each is parsed once, not once a row.
        return _read_day


class Word(TypeDecorator[StrEnum]):
    """An enumeration stored as text and read as its member.

    Rules can then write `kind is ReservationKind.GUEST` for rows as for anything else.
    """

    impl = String()
    cache_ok = True

    def __init__(self, words: type[StrEnum]) -> None:
        super().__init__()
        self.words = words

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else self.words(value).value

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        known = {word.value: word for word in self.words}

        def read(value: str | None) -> StrEnum | None:
            if value is None:
                return None
            word = known.get(value)
            if word is None:
                raise unreadable_stored()
            return word

        return read


class Exact(TypeDecorator[Decimal]):
    """A decimal stored digit by digit as text, because SQLite would store a float."""

    impl = String(40)
    cache_ok = True

    def process_bind_param(self, value: Decimal | int | None, dialect: Dialect) -> str | None:
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Decimal | None:
        try:
            return None if value is None else Decimal(value)
        except InvalidOperation:
            raise unreadable_stored() from None


def make_engine(settings: Settings, *, as_owner: bool = False) -> Engine:
    """Return the engine of the settings; `as_owner` is for migrations, statistics and set-up."""
    if settings.is_sqlite:
        engine = create_engine(
            settings.database_url,
            connect_args={"timeout": 10},
            pool_recycle=STATISTICS_SECONDS,
            json_deserializer=msgspec.json.decode,
        )
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    url = settings.owner_database_url if as_owner else settings.database_url
    engine = create_engine(url, pool_pre_ping=True, pool_size=5, max_overflow=10)
    if not as_owner:
        event.listen(engine, "connect", _take_app_role)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    # With the driver's own BEGIN two writers could both read first and then overwrite each other.
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        f"busy_timeout={_BUSY_MILLISECONDS}",
        "synchronous=FULL",
        "foreign_keys=ON",
    ):
        connection.cursor().execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Any) -> None:
    if connection.info.get(NO_TRANSACTION, False):
        return
    options, driver = connection.get_execution_options(), connection.connection.dbapi_connection
    # On the driver itself: the layers above cost as much as the statement.
    if options.get(READ_ONLY, False):
        driver.execute("BEGIN")
    else:
        begin_immediate(driver, options.get(PATIENCE, PATIENCE_SECONDS))


_LOCK: Final = re.compile(
    r"\s+FOR (?:NO KEY )?UPDATE(?: OF [\w\", ]+?)?(?: NOWAIT| SKIP LOCKED)?\s*$"
)


def without_lock(
    _connection: Connection, _cursor: Any, statement: str, parameters: Any, *_: object
) -> tuple[str, Any]:
    """Return the statement without its row locks when the transaction only reads.

    Plans run the same query for a preview and for writing. PostgreSQL refuses a lock in a read-only
    transaction; SQLite's dialect writes no such clause.
    """
    return (_LOCK.sub("", statement) if "FOR " in statement else statement), parameters


def begin_immediate(driver: Any, patience_seconds: float = PATIENCE_SECONDS) -> None:
    """Take SQLite's single write lock; raise the driver's error when it stays taken.

    The wait is in Python and not in SQLite, which would block everything that this process serves.
    """
    until, pause = time.monotonic() + patience_seconds, _FIRST_PAUSE_SECONDS
    driver.execute("PRAGMA busy_timeout=0")
    try:
        while True:
            try:
                driver.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not is_busy or time.monotonic() >= until:
                    raise
            else:
                return
            time.sleep(random.uniform(pause / 2, pause))
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
    finally:
        driver.execute(f"PRAGMA busy_timeout={_BUSY_MILLISECONDS}")


def _take_app_role(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    # Row-level security does not apply to owners and superusers, so the program is neither.
    connection.cursor().execute(f"SET ROLE {APP_ROLE}")
    # As on SQLite, no transaction waits for a lock without a limit.
    connection.cursor().execute("SET lock_timeout = '60s'")
    # Compiling a question takes longer than answering it saves, even in a large workspace.
    connection.cursor().execute("SET jit = off")
    connection.commit()


def sees_one_state(session: Session) -> bool:
    """Whether all statements of a transaction see the same: on SQLite; PostgreSQL reads committed."""
    return session.connection().dialect.name == "sqlite"


def insert_new(session: Session, model: type[Base], rows: Sequence[dict[str, Any]]) -> None:
    """Insert the rows whose unique keys are free; a concurrent insert of the same is waited for."""
    is_postgresql = session.connection().dialect.name == "postgresql"
    insert = postgresql.insert if is_postgresql else sqlite.insert
    if rows:
        session.execute(insert(model).on_conflict_do_nothing(), list(rows))


class Closable(Protocol):
    """Anything that can be closed, as every connection can."""

    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class IdleConnections(Generic[C]):
    """The connections of this process that no thread is using at the moment.

    Lending them, rather than one a thread, needs only as many as were ever used at once, and
    threads that end leave no connection open.
    """

    def __init__(self, open_one: Callable[[], C]) -> None:
        self._open_one = open_one
        self._idle: deque[C] = deque()
        self._pid = os.getpid()
        self._inherited: list[deque[C]] = []

    def take(self) -> C:
        """Return an idle connection, or a new one."""
        if self._pid != os.getpid():
            # Closing them here would use the parent's socket, or release the parent's file locks.
            self._inherited.append(self._idle)
            self._idle = deque()
            self._pid = os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return self._open_one()

    def give_back(self, connection: C) -> None:
        """Return a connection for use by other threads."""
        self._idle.append(connection)

    def close(self) -> None:
        """Close the idle connections."""
        while self._idle:
            self._idle.pop().close()

    def __del__(self) -> None:
        if self._pid == os.getpid():
            self.close()
