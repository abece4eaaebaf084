"""Runs each side under a real gunicorn of its own, and reads the CPU time of its workers."""

import os
import socket
import sys
import time
from collections import deque
from collections.abc import Iterable, Mapping
from itertools import repeat
from pathlib import Path
from signal import SIGTERM
from types import TracebackType
from urllib.parse import urlencode

from tests.bench.data import Data
from tests.servers.ports import free_port
from tests.servers.process import Server, fresh_folder

ROOT = Path(__file__).parents[2]
PRODUCT = "wsgi:app"
_MEBIBYTE = 1024
_THROWN_AWAY = bytearray(1 << 20)


class Served:
    """One application behind a port of its own."""

    def __init__(
        self,
        what: str,
        data: Data,
        *,
        workers: int = 1,
        ready: bytes = b"",
        python: str = sys.executable,
        worker_class: str = "sync",
    ) -> None:
        self._address = ("127.0.0.1", free_port())
        self.began = time.perf_counter()
        plain = ["--worker-class", worker_class, "--workers", str(workers)]
        command = self._command(what, data, python, plain)
        self._server = Server(fresh_folder("pms-bench-"), command, SIGTERM)
        self._server.wait_until(lambda: self._answers(ready or question("/")))
        self.seconds_to_first_answer = time.perf_counter() - self.began

    def __enter__(self) -> "Served":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the server and wait for its end."""
        self._server.stop()

    def ask(self, request: bytes) -> bytes:
        """Return the whole answer to one request on a connection of its own."""
        with self._sent(request) as connection:
            return _received(connection)

    def flood(self, request: bytes, count: int, at_once: int = 4) -> float:
        """Return the seconds taken for many requests, some of them always waiting."""
        return self.flood_all(repeat(request, count), at_once)

    def flood_all(self, requests: Iterable[bytes], at_once: int = 4) -> float:
        """Return the seconds taken for these requests in their order."""
        waiting: deque[socket.socket] = deque()
        began = time.perf_counter()
        for request in requests:
            if len(waiting) == at_once:
                _finish(waiting.popleft())
            waiting.append(self._sent(request))
        while waiting:
            _finish(waiting.popleft())
        return time.perf_counter() - began

    def cpu_seconds(self) -> float:
        """Return the CPU time its workers have used so far."""
        # The clock that the system keeps for another process (clock_getcpuclockid).
        return sum(time.clock_gettime(~pid << 3 | 2) for pid in self.workers())

    def resident_mebibytes(self) -> float:
        """Return the memory of its largest worker."""
        return max(_resident_kibibytes(pid) for pid in self.workers()) / _MEBIBYTE

    def workers(self) -> list[int]:
        """Return the process ids of its workers."""
        return [pid for pid in self._children() if "gunicorn" in _proc(pid, "cmdline")]

    def wait_until_compiled(self) -> None:
        """Return when the process that compiles the templates after a start has ended."""
        self._server.wait_until(lambda: self._children() == self.workers())

    def _children(self) -> list[int]:
        master = self._server.pid
        return [int(pid) for pid in _proc(master, f"task/{master}/children").split()]

    def _command(self, what: str, data: Data, python: str, plain: list[str]) -> list[str | Path]:
        port = str(self._address[1])
        # The program starts as in production; the others need nothing of its configuration.
        config = ["-c", "python:pms.surfaces.command_line.gunicorn_config"]
        bound = ["--no-control-socket", "--bind", f"127.0.0.1:{port}", "--chdir", str(ROOT)]
        own = config if what == PRODUCT else [*plain, *bound]
        given = _assigned(data.environment | {"PMS_PORT": port})
        return ["/usr/bin/env", "-i", "-C", str(ROOT), *given, python, "-m", "gunicorn", *own, what]

    def _sent(self, request: bytes) -> socket.socket:
        # No name is looked up: whoever asks must be quicker than whoever answers, or the workers
        # are measured falling asleep and waking up.
        connection = socket.socket()
        connection.connect(self._address)
        connection.sendall(request)
        return connection

    def _answers(self, request: bytes) -> bool:
        try:
            return self.ask(request).startswith(b"HTTP/1.1 200")
        except OSError:
            return False


def question(path: str, key: str = "", **headers: str) -> bytes:
    """Return the bytes of a request."""
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    if key:
        lines.append(f"Authorization: Bearer {key}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def sent_form(path: str, fields: Mapping[str, str], **headers: str) -> bytes:
    """Return the bytes of a request that sends a form."""
    body = urlencode(fields).encode()
    kind = {"Content_Type": "application/x-www-form-urlencoded", "Content_Length": str(len(body))}
    return question(path, **kind, **headers).replace(b"GET ", b"POST ", 1) + body


def header(answer: bytes, name: str) -> str:
    """Return a header of an answer."""
    head = answer.partition(b"\r\n\r\n")[0].decode("latin-1")
    lines = (line.partition(": ") for line in head.split("\r\n"))
    return next(value for key, _, value in lines if key.lower() == name.lower())


def _received(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(1 << 20):
        parts.append(part)
    return b"".join(parts)


def _finish(connection: socket.socket) -> None:
    with connection:
        while connection.recv_into(_THROWN_AWAY):
            pass


def _assigned(given: Mapping[str, str]) -> list[str]:
    path = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "PYTHONPATH": str(ROOT)}
    return [f"{name}={value}" for name, value in (path | dict(given)).items()]


def _resident_kibibytes(pid: int) -> int:
    lines = _proc(pid, "status").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1])


def _proc(pid: int, name: str) -> str:
    return Path(f"/proc/{pid}/{name}").read_text()
