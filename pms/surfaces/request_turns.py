"""Limit how many requests a process handles at once; a slow upload waits before it takes a turn.

A request whose form arrives slowly takes no turn, and so no database connection either.
"""

import io
from collections.abc import Iterable
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

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
        _read_form(environ)
        if not self._turns.acquire(timeout=_PATIENCE_SECONDS):
            return _busy(start_response)
        try:
            return self._app(environ, start_response)
        finally:
            self._turns.release()


def _read_form(environ: "WSGIEnvironment") -> None:
    """Read a body of up to 1 MiB whole; a larger one is read where its size is allowed."""
    length = environ.get("CONTENT_LENGTH", "")
    if length.isascii() and length.isdigit() and 0 < int(length) <= _READ_BEFORE_BYTES:
        try:
            body = environ["wsgi.input"].read(int(length))
        except OSError:
            body = b""  # cut off, or gone: the application finds its form incomplete
        environ["wsgi.input"] = io.BytesIO(body)


def _busy(start_response: "StartResponse") -> Iterable[bytes]:
    status = HTTPStatus.SERVICE_UNAVAILABLE
    headers = [
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(_BODY))),
        ("Cache-Control", "no-store"),
        ("Retry-After", "5"),
    ]
    start_response(f"{status.value} {status.phrase}", headers)
    return (_BODY,)
