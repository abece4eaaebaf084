"""Opens units of work: read or write, bound to one workspace or, by name, to all."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine

from pms.foundation import derived, versions
from pms.foundation.db import READ_ONLY, make_engine
from pms.foundation.settings import Settings
from pms.foundation.tenancy import EVERY_WORKSPACE, WorkspaceSession, announce

SESSION_RULES = (derived, versions)
"""What every session obeys from its first statement on, whichever rooms are loaded."""


class Database:
    """The database of the settings; engines open lazily, so that each process has its own."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._engine: Engine | None = None

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = make_engine(self.settings)
        return self._engine

    @property
    def reading_engine(self) -> Engine:
        """The same pool, whose transactions never take the write lock."""
        return self.engine.execution_options(**{READ_ONLY: True})

    def dispose(self) -> None:
        """Close every connection; the next use opens new ones."""
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    @contextmanager
    def reading(self, workspace_id: str) -> Iterator[WorkspaceSession]:
        """Give a session of one workspace that writes nothing."""
        with self._session(self.reading_engine, workspace_id) as session:
            yield session

    @contextmanager
    def writing(self, workspace_id: str) -> Iterator[WorkspaceSession]:
        """Give a session of one workspace; commit at the end, roll back on an error."""
        with self._session(self.engine, workspace_id) as session, session.begin():
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
        """Give a bare reading connection for the prepared statements of the hot paths."""
        with self.reading_engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                announce(connection, EVERY_WORKSPACE)
            yield connection

    @staticmethod
    def session_on(connection: Connection, workspace_id: str) -> WorkspaceSession:
        """Bind a session of one workspace to a connection that is already open."""
        if connection.dialect.name == "postgresql":
            announce(connection, workspace_id)
        return WorkspaceSession(bind=connection, workspace_id=workspace_id)

    @staticmethod
    @contextmanager
    def _session(bind: Engine, workspace_id: str) -> Iterator[WorkspaceSession]:
        with WorkspaceSession(
            bind=bind, workspace_id=workspace_id, expire_on_commit=False
        ) as session:
            yield session
