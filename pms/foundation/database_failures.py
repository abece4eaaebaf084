"""Tells what kind of failure a database met, and runs again what only met other writers."""

import random
import sqlite3
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pms.foundation.settings import Settings

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
