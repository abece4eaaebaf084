"""Runs a program, reads what it prints as it comes, and never leaves it behind."""

import os
import queue
import re
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE_SECONDS = 60
# The machine's own settings of the program stay outside.
_OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("PMS_")}
ROOT = Path(__file__).resolve().parents[2]


class Running:
    """One running program; its output is waited for, never slept for."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str] | None = None, cwd: Path = ROOT
    ) -> None:
        self._process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=cwd,
            env={**_OUTSIDE, **(env or {})},
            start_new_session=True,
        )
        self.pid = self._process.pid
        self.printed = ""
        self._passed: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._reader.join()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def wait_for(self, pattern: str) -> re.Match[str]:
        """The first line not waited for yet that matches; fails with all that was printed."""
        for number, passed in enumerate(self._passed):
            found = re.search(pattern, passed)
            if found:
                del self._passed[number]
                return found
        while (line := self._next_line()) is not None:
            found = re.search(pattern, line)
            if found:
                return found
            self._passed.append(line)
        raise AssertionError(f"no {pattern!r} in:\n{self.printed}")

    def _next_line(self) -> str | None:
        try:
            return self._lines.get(timeout=PATIENCE_SECONDS)
        except queue.Empty:
            return None

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def ended(self) -> int:
        """The exit code, once it has ended and everything it printed is read."""
        code = self._process.wait(PATIENCE_SECONDS)
        self._reader.join()
        return code

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.printed += line
            self._lines.put(line)
        self._lines.put(None)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z"
