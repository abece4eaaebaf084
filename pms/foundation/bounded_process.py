"""A process of its own that reads a file of anybody, with bounded memory and time."""

import os
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple

_ROOT = Path(__file__).parents[2]


class ProcessBusyError(Exception):
    """Other files were read the whole time, or this one took too long."""


class ProcessEndedError(Exception):
    """The process ended without a result: its memory or CPU time was used up, or it was killed."""

    def __init__(self, returncode: int, stderr: str) -> None:
        super().__init__(f"ended with {returncode}: {stderr}")
        self.returncode, self.stderr = returncode, stderr


class Answer(NamedTuple):
    """What the process wrote, and whether it could not read the file (`EX_DATAERR`)."""

    output: bytes
    is_unreadable: bool


class BoundedProcess:
    """Runs a module of this program, one file at a time, each in a process that ends with it."""

    def __init__(self, module: str, *, most_seconds: float, patience_seconds: float) -> None:
        self.module = module
        self.most_seconds, self.patience_seconds = most_seconds, patience_seconds
        self.lock = Lock()
        """Held while a file is read."""

    def read(self, content: bytes, *arguments: str) -> Answer:
        """Return the answer to a file; raise `ProcessBusyError` or `ProcessEndedError`."""
        if not self.lock.acquire(timeout=self.patience_seconds):
            raise ProcessBusyError
        try:
            ran = subprocess.run(
                [sys.executable, "-m", self.module, *arguments],
                input=content,
                capture_output=True,
                check=False,
                timeout=self.most_seconds,
                cwd=_ROOT,
                # A file of anybody is read there: it has no secrets of the settings.
                env={},
            )
        except subprocess.TimeoutExpired:
            raise ProcessBusyError from None
        finally:
            self.lock.release()
        if ran.returncode not in (os.EX_OK, os.EX_DATAERR):
            raise ProcessEndedError(ran.returncode, ran.stderr.decode(errors="replace")[-200:])
        return Answer(ran.stdout, ran.returncode == os.EX_DATAERR)


def limit_this_process(most_data: int, most_cpu_seconds: int) -> None:
    """Bound the memory in bytes and the CPU time of this process, where the system can."""
    for name, most in (("RLIMIT_DATA", most_data), ("RLIMIT_CPU", most_cpu_seconds)):
        with suppress(AttributeError, OSError, ValueError):
            resource.setrlimit(getattr(resource, name), (most, most))
