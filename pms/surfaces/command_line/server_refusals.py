"""Has gunicorn answer what it refuses by itself in the words of the JSON API.

What cannot be read as HTTP never reaches the program, so gunicorn alone can answer it; its own
page would be HTML, and 501 for a coding that only the client got wrong.
"""

import gc
from http import HTTPStatus
from typing import Any

import msgspec
from gevent import monkey
from gunicorn.workers.ggevent import GeventWorker

from pms.surfaces.command_line.gunicorn_config import open_counts

_SAID = {
    HTTPStatus.BAD_REQUEST: "The request cannot be read as HTTP.",
    HTTPStatus.FORBIDDEN: "The request is not allowed.",
    HTTPStatus.REQUEST_URI_TOO_LONG: "The address of the request is too long.",
    HTTPStatus.EXPECTATION_FAILED: "Expect: only '100-continue' can be met.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "The headers are too long or too many.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The server failed. Please try again.",
}


def reword_refusal(page: bytes) -> bytes:
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
        self._client.sendall(reword_refusal(page))


class PlainWorker(GeventWorker):
    """The worker of both databases: a connection that waits for its client costs it nothing."""

    @classmethod
    def setup(cls) -> None:
        """Prepare the master, which loads the program next: gunicorn calls this before it does.

        What the program imports must find the patched library. What the master itself runs on
        (its signals, queue and processes) stays as it is; each worker patches that as well. No
        garbage is searched for while loading: next to all that is made then stays.
        """
        if not monkey.is_module_patched("threading"):  # a HUP comes here again
            monkey.patch_time()
            monkey.patch_thread()
            monkey.patch_socket()
            monkey.patch_select()
            monkey.patch_ssl()
        open_counts()
        gc.disable()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        super().handle_error(req, _Rewording(client), addr, exc)
