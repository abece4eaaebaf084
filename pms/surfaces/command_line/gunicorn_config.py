"""What gunicorn is told, whoever starts it: `gunicorn -c python:<this module> wsgi:app`; and its worker."""

import contextlib
import gc
import os
import shutil
import socket
import subprocess
import sys
from http import HTTPStatus
from pathlib import Path
from typing import Any

import gevent
import msgspec
from gevent import monkey
from gunicorn.glogging import Logger
from gunicorn.workers.ggevent import GeventWorker

from pms.foundation.logs import logging_config
from pms.foundation.settings import Settings

settings = Settings.from_environment()
_SHARED_MEMORY = Path("/dev/shm")
_METRICS = "pms-metrics"
# Counts are mapped files: on a full disk, the first page that finds no room would end the process
# that counts. So they lie in memory, where the system has such a folder.
_COUNTS = (
    _SHARED_MEMORY if os.access(_SHARED_MEMORY, os.W_OK) else settings.data_dir
) / f"{_METRICS}-{os.getpid()}-{os.getuid()}"
_BODY_SECONDS = 5
_BODY_BYTES_PER_SECOND = 16 * 1024
_FIRST_PAGES_SECONDS = 3
_CHUNKED_BYTES = 1024 * 1024

chdir = str(Path(__file__).parents[3])
bind = (
    f"[{settings.host}]:{settings.port}"
    if ":" in settings.host
    else (f"{settings.host}:{settings.port}")
)
workers = settings.workers
# Connections that say nothing, or send slowly, hold up nobody (docs/decisions/web-workers.md).
worker_class = "pms.surfaces.command_line.gunicorn_config.PlainWorker"
# So long the head of a request may take to arrive, and the next one on the same connection.
keepalive = 5
timeout = 60
graceful_timeout = 20
control_socket_disable = True
# Workers are forked from one process that has loaded the program.
preload_app = True
# prometheus_client reads it when the program first imports it.
raw_env = [f"PROMETHEUS_MULTIPROC_DIR={_COUNTS}"]
logger_class = "pms.surfaces.command_line.gunicorn_config.QuietLogger"
logconfig_dict = logging_config(is_production=settings.is_production)


class QuietLogger(Logger):
    """Leaves the line of each request to the program, which writes one already."""

    @property
    def access_log_enabled(self) -> bool:
        """Put no second line together, only to drop it."""
        return False


def pre_request(_: Any, request: Any) -> None:
    """Stop reading from who sends a body too slowly; what was sent by then is answered."""
    length = _length(request)
    if length:
        seconds = _BODY_SECONDS + length / _BODY_BYTES_PER_SECOND
        request.cutting_off = gevent.spawn_later(seconds, _stop_reading, request.unreader.sock)


def post_request(_: Any, request: Any, __: Any, ___: Any) -> None:
    """Let a connection whose request is answered live on."""
    cutting_off = getattr(request, "cutting_off", None)
    if cutting_off is not None:
        cutting_off.kill(block=False)


def _length(request: Any) -> int:
    headers = dict(request.headers)
    if headers.get("TRANSFER-ENCODING"):
        return _CHUNKED_BYTES
    length = headers.get("CONTENT-LENGTH", "")
    return int(length) if length.isascii() and length.isdigit() else 0


def _stop_reading(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RD)


def open_counts() -> None:
    """Make the folder of the counts, and remove those of servers that are gone."""
    for left in _COUNTS.parent.glob(f"{_METRICS}-*-*"):
        if not Path(f"/proc/{left.name.split('-')[2]}").exists():
            shutil.rmtree(left, ignore_errors=True)
    _COUNTS.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _COUNTS.lstat().st_uid != os.getuid():
        raise SystemExit(f"{_COUNTS} belongs to another user.")


def on_exit(server: Any) -> None:
    """End what still compiles, and remove the counts: they belong to processes that are gone."""
    compiling = getattr(server, "compiling", None)
    if compiling is not None:
        compiling.terminate()
        compiling.wait()
    shutil.rmtree(_COUNTS, ignore_errors=True)


def when_ready(server: Any) -> None:
    """Have workers share what is loaded, and the statements of the pages people begin with.

    What is there by now is left out of every later search for garbage: pages stay shared.
    Templates that were never compiled are, by a process that gives way to the first requests.
    """
    # Imported here: all are part of the program, which is loaded by now.
    import wsgi
    from pms.surfaces.first_visits import open_first_pages
    from pms.surfaces.request_scope import database

    with gevent.Timeout(_FIRST_PAGES_SECONDS, exception=False):
        try:
            open_first_pages(wsgi.app)
        except Exception as error:
            # The database is away, or not migrated: requests say so, and readyz.
            server.log.warning(
                "The first pages could not be opened ahead: %s", type(error).__name__
            )
    with wsgi.app.app_context():
        database().dispose()  # no connection is shared with a worker
    gc.freeze()
    gc.enable()
    work = "import os, wsgi; os.nice(10); wsgi.compile_templates(wsgi.app)"
    server.compiling = subprocess.Popen([sys.executable, "-c", work], cwd=chdir)


def post_worker_init(_: object) -> None:
    """Search for garbage less often than by default.

    A list of units makes thousands of objects that are gone without any search.
    """
    gc.set_threshold(50_000, 20, 20)


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
