"""Has gunicorn answer what it refuses by itself in the words of the JSON API.

What cannot be read as HTTP never reaches the program, so gunicorn alone can answer it; its own
page would be HTML, and 501 for a coding that only the client got wrong.
"""

from http import HTTPStatus
from typing import Any

import msgspec
from gunicorn.workers.ggevent import GeventWorker

_SAID = {
    HTTPStatus.BAD_REQUEST: "The request cannot be read as HTTP.",
    HTTPStatus.FORBIDDEN: "The request is not allowed.",
    HTTPStatus.REQUEST_URI_TOO_LONG: "The address of the request is too long.",
    HTTPStatus.EXPECTATION_FAILED: "Expect: only '100-continue' can be met.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "The headers are too long or too many.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The server failed. Please try again.",
}


def reworded(page: bytes) -> bytes:
    """Return gunicorn's error page as one JSON object with one field, `error`."""
    status = HTTPStatus(int(page.split(b" ", 2)[1]))
    if status == HTTPStatus.NOT_IMPLEMENTED:
        status = HTTPStatus.BAD_REQUEST
    body = msgspec.json.encode({"error": _SAID.get(status, status.phrase)})
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}",
        "Connection: close",
        "Content-Type: application/json",
        "Cache-Control: no-store",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join((*head, "", "")).encode() + body


class _Rewording:
    """Stands for the client's socket while gunicorn writes its error page."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def sendall(self, page: bytes) -> None:
        self._client.sendall(reworded(page))


class PlainWorker(GeventWorker):
    """The worker of both databases: a connection that waits for its client costs it nothing."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        super().handle_error(req, _Rewording(client), addr, exc)
