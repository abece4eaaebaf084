"""Give a request its turn, database session and clock, and close what it opened.

A process handles a limited number of requests at once. A request whose form arrives slowly takes no
turn, and so no database connection either.
"""

import io
from collections.abc import Iterable
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

from collections.abc import Callable
from contextlib import ExitStack
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from flask import Flask, abort, current_app, g, request
from werkzeug.datastructures import MultiDict

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.kept_figures import keep_figures
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.versions import answer_once

if TYPE_CHECKING:
    from sqlalchemy import Connection


Answer = TypeVar("Answer")
_DATABASE = "pms.database"
_CLOCK = "pms.clock"


def bind_scope(app: Flask, database: Database, clock: Clock) -> None:
    """Give the application its database and clock."""
    app.extensions[_DATABASE] = database
    app.extensions[_CLOCK] = clock
    app.teardown_appcontext(_close_opened)


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
    """Return the database of the application, bound as the request is."""
    found: Database = g.get("bound_database") or current_app.extensions[_DATABASE]
    return found


def bind_buildings(building_ids: Iterable[str]) -> None:
    """Let every session of this request see and write these buildings of its workspace alone."""
    g.bound_database = database().within_buildings(building_ids)


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


def _close_opened(failure: BaseException | None) -> None:
    opened: ExitStack | None = g.pop("opened", None)
    if opened is not None:
        opened.close()
        if failure is None:
            keep_figures(database(), clock(), g.session)


AT_ONCE: Final = 8
_READ_BEFORE_BYTES: Final = 1024 * 1024
_PATIENCE_SECONDS: Final = 20
_WITHOUT_A_TURN: Final = "/healthz"
_BODY: Final = b'{"error":"The server is busy. Please try again."}'


class RequestTurns:
    """Give each request a turn before the application handles it.

    The health probe needs none: it does not use the database.
    """

    def __init__(self, app: "WSGIApplication", at_once: int = AT_ONCE) -> None:
        self._app, self._turns = app, BoundedSemaphore(at_once)

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if environ.get("PATH_INFO") == _WITHOUT_A_TURN:
            return self._app(environ, start_response)
        # Read a body of up to 1 MiB whole; a larger one is read where its size is allowed.
        length = environ.get("CONTENT_LENGTH", "")
        if length.isascii() and length.isdigit() and 0 < int(length) <= _READ_BEFORE_BYTES:
            try:
                body = environ["wsgi.input"].read(int(length))
            except OSError:
                body = b""  # cut off, or gone: the application finds its form incomplete
            environ["wsgi.input"] = io.BytesIO(body)
        if not self._turns.acquire(timeout=_PATIENCE_SECONDS):
            status = HTTPStatus.SERVICE_UNAVAILABLE
            headers = [
                ("Content-Type", "application/json"),
                ("Content-Length", str(len(_BODY))),
                ("Cache-Control", "no-store"),
                ("Retry-After", "5"),
            ]
            start_response(f"{status.value} {status.phrase}", headers)
            return (_BODY,)
        try:
            return self._app(environ, start_response)
        finally:
            self._turns.release()
