"""Give a request its database session and clock, and close what it opened."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from flask import Flask, abort, current_app, g, request
from werkzeug.datastructures import MultiDict

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.kept_answers import answer_once
from pms.foundation.tenancy import WorkspaceSession

if TYPE_CHECKING:
    from sqlalchemy import Connection

Answer = TypeVar("Answer")
_DATABASE = "pms.database"
_CLOCK = "pms.clock"


def bind_scope(app: Flask, database: Database, clock: Clock) -> None:
    """Give the application its database and clock."""
    app.extensions[_DATABASE] = database
    app.extensions[_CLOCK] = clock
    app.teardown_appcontext(_close)


def refuse_nul() -> None:
    """Refuse an address with a NUL: PostgreSQL takes none in a text, and no stored text has one."""
    if "\0" in request.path:
        abort(404)
    if has_nul(request.args):
        abort(400)


def has_nul(given: MultiDict[str, str]) -> bool:
    """Whether a value that was sent contains a NUL."""
    return any("\0" in text for _, text in given.items(multi=True))


def database() -> Database:
    """Return the database of the application."""
    found: Database = current_app.extensions[_DATABASE]
    return found


def files() -> Files:
    """Return the file store."""
    return Files(database().settings)


def clock() -> Clock:
    """Return the clock of the application."""
    found: Clock = current_app.extensions[_CLOCK]
    return found


def today() -> date:
    """Return today's date in Japan; it stays the same during a request."""
    day: date | None = g.get("today")
    if day is None:
        day = g.today = clock().today()
    return day


def ask_across_workspaces(question: "Callable[[Connection], Answer]") -> Answer:
    """Run a query before it is known which workspace the request belongs to."""
    return database().ask_across_workspaces(question)


def reading_session(workspace_id: str) -> WorkspaceSession:
    """Return the request's reading session of one workspace."""
    if "session" not in g:
        g.opened = ExitStack()
        g.session = g.opened.enter_context(database().reading(workspace_id))
        answer_once(g.session)
    session: WorkspaceSession = g.session
    return session


def _close(_: BaseException | None) -> None:
    opened: ExitStack | None = g.pop("opened", None)
    if opened is not None:
        opened.close()
