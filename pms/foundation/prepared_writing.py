"""A transaction of prepared statements alone, in one workspace, on a connection kept for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.orm import Session

from pms.foundation.db import begin_immediate
from pms.foundation.tenancy import announce


class SessionNeededError(Exception):
    """A deed begun on prepared statements alone turns out to need a session: it begins anew."""


class PreparedWriting:
    """What stands for a session where nothing but prepared statements is run.

    Opening a session, its pool, its events and its end cost more than a few statements do. Here
    are no objects and no statements of one's own: each prepared statement carries the wall of the
    workspace itself, and PostgreSQL's row security is told whose rows may be met as ever.
    """

    def __init__(self, connection: Connection, workspace_id: str) -> None:
        self._connection = connection
        self.workspace_id = workspace_id

    def connection(self) -> Connection:
        """Return the connection of the transaction."""
        return self._connection

    def flush(self) -> None:
        """Nothing waits to be written."""


Writing = Session | PreparedWriting


def session_of(writing: Writing) -> Session:
    """Return the session; raise `SessionNeededError` where prepared statements are all there is."""
    if isinstance(writing, PreparedWriting):
        raise SessionNeededError
    return writing


def begin(connection: Connection, workspace_id: str) -> None:
    """Begin a transaction of a workspace; a connection that is lost fails here, changing nothing."""
    if connection.dialect.name == "postgresql":
        _driver(connection).execute("BEGIN")
        announce(connection, workspace_id)
    else:
        begin_immediate(_driver(connection))


@contextmanager
def ended(connection: Connection) -> Iterator[None]:
    """Commit what was begun when the block ends, roll back on an error."""
    try:
        yield
        _driver(connection).execute("COMMIT")
    except BaseException:
        _driver(connection).rollback()
        raise


def _driver(connection: Connection) -> Any:
    return connection.connection.dbapi_connection
