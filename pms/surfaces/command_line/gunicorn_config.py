"""The settings of gunicorn and its worker: `gunicorn -c python:<this module> wsgi:app`."""

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
# Metrics are mapped files: on a full disk, writing a new page of one ends the process. So they are
# in shared memory where the system has it.
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
# Silent and slow connections do not delay others (docs/decisions/web-workers.md).
worker_class = "pms.surfaces.command_line.gunicorn_config.PlainWorker"
# Seconds for the head of a request to arrive, and to wait for the next on the same connection.
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
    """Writes no access log; the program writes a line for each request."""

    @property
    def access_log_enabled(self) -> bool:
        """Return False, so that gunicorn does not format a line either."""
        return False


def pre_request(_: Any, request: Any) -> None:
    """Stop reading a body that arrives too slowly; the part received by then is answered."""
    length = _read_body_length(request)
    if length:
        seconds = _BODY_SECONDS + length / _BODY_BYTES_PER_SECOND
        request.cutting_off = gevent.spawn_later(seconds, _stop_reading, request.unreader.sock)


def post_request(_: Any, request: Any, __: Any, ___: Any) -> None:
    """Cancel the time limit of the body once its request is answered."""
    cutting_off = getattr(request, "cutting_off", None)
    if cutting_off is not None:
        cutting_off.kill(block=False)


def _read_body_length(request: Any) -> int:
    headers = dict(request.headers)
    if headers.get("TRANSFER-ENCODING"):
        return _CHUNKED_BYTES
    length = headers.get("CONTENT-LENGTH", "")
    return int(length) if length.isascii() and length.isdigit() else 0


def _stop_reading(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RD)


def open_counts() -> None:
    """Create the folder of the metrics, and remove those of servers that have ended."""
    for left in _COUNTS.parent.glob(f"{_METRICS}-*-*"):
        if not Path(f"/proc/{left.name.split('-')[2]}").exists():
            shutil.rmtree(left, ignore_errors=True)
    _COUNTS.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _COUNTS.lstat().st_uid != os.getuid():
        raise SystemExit(f"{_COUNTS} belongs to another user.")


def on_exit(server: Any) -> None:
    """Stop the compiling process and remove the metrics of this server."""
    compiling = getattr(server, "compiling", None)
    if compiling is not None:
        compiling.terminate()
        compiling.wait()
    shutil.rmtree(_COUNTS, ignore_errors=True)


def when_ready(server: Any) -> None:
    """Prepare what workers share: the loaded program and the statements of the first pages.

    The garbage collector skips all objects made so far, so their memory stays shared. A process of
    low priority compiles the templates that have no compiled copy yet.
    """
    # Imported here, because the program is loaded after this module.
    import wsgi
    from pms.surfaces.first_visits import open_first_pages
    from pms.surfaces.request_scope import database

    with gevent.Timeout(_FIRST_PAGES_SECONDS, exception=False):
        try:
            open_first_pages(wsgi.app)
        except Exception as error:
            # The database cannot be reached or is not migrated: requests and /readyz say so.
            server.log.warning(
                "The first pages could not be opened ahead: %s", type(error).__name__
            )
    with wsgi.app.app_context():
        database().dispose()  # no connection is shared with a worker
    gc.freeze()
    gc.enable()
    work = "import os, wsgi; os.nice(10); wsgi.compile_templates(wsgi.app)"
    server.compiling = subprocess.Popen([sys.executable, "-c", work], cwd=chdir)


def post_worker_init(worker: Any) -> None:
    """Run the garbage collector less often than by default, and open the first connections.

    A list of units makes thousands of objects that are freed without it.
    """
    import wsgi
    from pms.surfaces.first_visits import open_connections

    gc.set_threshold(50_000, 20, 20)
    with gevent.Timeout(_FIRST_PAGES_SECONDS, exception=False):
        try:
            open_connections(wsgi.app)
        except Exception as error:
            worker.log.warning("The database could not be opened ahead: %s", type(error).__name__)


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
    """Replaces the client's socket while gunicorn writes its error page."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def sendall(self, page: bytes) -> None:
        self._client.sendall(reword_refusal(page))


class PlainWorker(GeventWorker):
    """The gevent worker, with error pages as JSON and the standard library patched in the master."""

    @classmethod
    def setup(cls) -> None:
        """Prepare the master process; gunicorn calls this before it loads the program.

        The modules that the program imports are patched by gevent first. The master's own signals,
        queue and processes are not patched; each worker patches those as well. The garbage
        collector is off while the program is loaded, because nearly all objects made then stay.
        """
        if not monkey.is_module_patched("threading"):  # also called after a HUP
            monkey.patch_time()
            monkey.patch_thread()
            monkey.patch_socket()
            monkey.patch_select()
            monkey.patch_ssl()
        open_counts()
        gc.disable()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        super().handle_error(req, _Rewording(client), addr, exc)
