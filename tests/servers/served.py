"""The web server as `pms web` starts it, over the database of a test."""

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from signal import SIGTERM
from typing import NamedTuple

from pms.foundation.settings import Settings
from tests.programs import CompiledTemplates
from tests.servers.ports import free_port
from tests.servers.process import Server, fresh_folder
from tests.shifted_clock import carried_environment

ROOT = Path(__file__).parents[2]
_OUTSIDE = {
    **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
    **carried_environment(os.environ),
}
_CONFIG = ("--chdir", str(ROOT), "-c", "python:pms.surfaces.command_line.gunicorn_config")
PATIENCE_SECONDS = 30.0


class Answered(NamedTuple):
    """An answer, and how long it took."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float


class Served:
    """A running server; `port` is where it listens."""

    def __init__(self, server: Server, port: int) -> None:
        self._server, self.port, self.pid = server, port, server.pid
        self.patience_seconds = PATIENCE_SECONDS

    def log(self) -> str:
        """Return what it wrote so far."""
        return self._server.log()

    def ask(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> Answered:
        """Return the answer to one request on a connection of its own."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=self.patience_seconds)
        content = {name.replace("_", "-"): value for name, value in headers.items()}
        began = time.perf_counter()
        try:
            connection.request(method, path, body, content)
            answer = connection.getresponse()
            found = answer.read()
            return Answered(
                answer.status, dict(answer.getheaders()), found, time.perf_counter() - began
            )
        finally:
            connection.close()

    def is_up(self) -> bool:
        """Whether the process answers."""
        try:
            return self.ask("/healthz").status == 200
        except OSError:
            return False


@contextmanager
def served(settings: Settings, workers: int = 1, **given: str) -> Iterator[Served]:
    """Start the server, give it when it answers, and stop it."""
    port = free_port()
    CompiledTemplates.share_with_server(settings.data_dir)
    usual = {
        "PMS_ENV": "test",
        "PMS_DATA_DIR": str(settings.data_dir),
        "PMS_DATABASE_URL": settings.database_url,
        "PMS_SECRET_KEY": settings.secret_key,
        "PMS_WORKERS": str(workers),
        "PMS_PORT": str(port),
    }
    words = [f"{name}={value}" for name, value in (_OUTSIDE | usual | given).items()]
    gunicorn = [sys.executable, "-m", "gunicorn", *_CONFIG, "wsgi:app"]
    server = Server(fresh_folder("pms-served-"), ["env", "-i", *words, *gunicorn], SIGTERM)
    running = Served(server, port)
    try:
        server.wait_until(running.is_up)
        yield running
    finally:
        server.stop()
