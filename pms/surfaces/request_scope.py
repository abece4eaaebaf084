"""Gives a request its database connection and its clock, and closes what it opened."""

from contextlib import ExitStack
from datetime import date
from typing import TYPE_CHECKING

from flask import Flask, current_app, g

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.tenancy import WorkspaceSession

if TYPE_CHECKING:
    from sqlalchemy import Connection

_DATABASE = "pms.database"
_CLOCK = "pms.clock"


def bind_scope(app: Flask, database: Database, clock: Clock) -> None:
    """Give the application its database and clock."""
    app.extensions[_DATABASE] = database
    app.extensions[_CLOCK] = clock
    app.teardown_appcontext(_close)


def database() -> Database:
    """Return the database of the application."""
    found: Database = current_app.extensions[_DATABASE]
    return found


def clock() -> Clock:
    """Return the clock of the application."""
    found: Clock = current_app.extensions[_CLOCK]
    return found


def today() -> date:
    """Return this day in Japan; one request has one day."""
    if "today" not in g:
        g.today = clock().today()
    day: date = g.today
    return day


def reading_connection() -> "Connection":
    """Return the request's reading connection, which no workspace is bound to yet."""
    if "connection" not in g:
        g.opened = ExitStack()
        g.connection = g.opened.enter_context(database().connection_across_workspaces())
    connection: "Connection" = g.connection
    return connection


def reading_session(workspace_id: str) -> WorkspaceSession:
    """Return the request's session of one workspace, on the connection already open."""
    if "session" not in g:
        connection = reading_connection()
        g.session = g.opened.enter_context(Database.session_on(connection, workspace_id))
    session: WorkspaceSession = g.session
    return session


def _close(_: BaseException | None) -> None:
    opened: ExitStack | None = g.pop("opened", None)
    if opened is not None:
        opened.close()
