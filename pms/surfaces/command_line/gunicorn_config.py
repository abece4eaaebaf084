"""What gunicorn is told, whoever starts it: `gunicorn -c python:<this module> wsgi:app`."""

import contextlib
import gc
import shutil
import socket
from pathlib import Path
from typing import Any

import gevent
from gunicorn.glogging import Logger

from pms.foundation.logs import logging_config
from pms.foundation.settings import Settings

settings = Settings.from_environment()
_BODY_SECONDS = 5
_BODY_BYTES_PER_SECOND = 16 * 1024
_CHUNKED_BYTES = 1024 * 1024
metrics_dir = settings.data_dir / "metrics"

chdir = str(Path(__file__).parents[3])
bind = (
    f"[{settings.host}]:{settings.port}"
    if ":" in settings.host
    else (f"{settings.host}:{settings.port}")
)
workers = settings.workers
# Connections that say nothing, or send slowly, hold up nobody (docs/decisions/0015).
worker_class = "pms.surfaces.command_line.server_refusals.PlainWorker"
# So long the head of a request may take to arrive, and the next one on the same connection.
keepalive = 5
timeout = 60
graceful_timeout = 20
control_socket_disable = True
logger_class = "pms.surfaces.command_line.gunicorn_config.QuietLogger"
logconfig_dict = logging_config(is_production=settings.is_production)
# Read by prometheus_client when a worker first imports it.
raw_env = [f"PROMETHEUS_MULTIPROC_DIR={metrics_dir}"]


class QuietLogger(Logger):  # type: ignore[misc]  # gunicorn ships no annotations
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
    told = dict(request.headers)
    if told.get("TRANSFER-ENCODING"):
        return _CHUNKED_BYTES
    length = told.get("CONTENT-LENGTH", "")
    return int(length) if length.isascii() and length.isdigit() else 0


def _stop_reading(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RD)


def on_starting(_: object) -> None:
    """Forget the counts of the last run; they belong to processes that are gone."""
    shutil.rmtree(metrics_dir, ignore_errors=True)
    metrics_dir.mkdir(parents=True)


def post_fork(_: object, __: object) -> None:
    """Search for no garbage while the program is loaded: next to all it makes then stays."""
    gc.disable()


def post_worker_init(_: object) -> None:
    """Leave the loaded program out of every later search for garbage.

    A list of units makes thousands of objects that are gone without any search, so the search
    itself is rarer than it is by default.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()
