"""Logs the last calls of each API key in a file of its own, one line a call, without locks.

A line is one write at the end of the file: no database, and never mixed with the lines of other
processes. A process that finds the file too long cuts it to its last lines.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from pms.foundation.budget.rolling_window import instant_of, microseconds_of
from pms.foundation.clock import Clock
from pms.foundation.ids import is_id, shape_id
from pms.foundation.settings import Settings

KEPT: Final = 100
_LARGEST: Final = 48 * 1024
_LOOKED_AT_EVERY: Final = 64
_MOST_OPEN: Final = 256
_SUFFIX: Final = ".calls"
_WORDS: Final = 5


class LastCall(NamedTuple):
    """One call; reading the same line again gives the same id."""

    id: str
    at: datetime
    method: str
    path: str
    status: int
    milliseconds: int


class LastCalls:
    """The files of one machine, written by its web processes and read by its worker."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._folder = settings.data_dir / "calls"
        self._now_us: Callable[[], int] = microseconds_of(clock)
        self._open: dict[str, int] = {}
        self._written = 0
        # A closed file's number may be reused at once, by a connection: no thread may write
        # meanwhile.
        self._alone = Lock()

    def note(self, key_id: str, method: str, path: str, status: int, seconds: float) -> None:
        """Append a call; when the disk cannot be written the line is lost, not the response."""
        line = f"{self._now_us()} {status} {round(seconds * 1000)} {method} {path}\n".encode()
        with self._alone, contextlib.suppress(OSError):
            file = self._open.get(key_id) or self._open_slot(key_id)
            os.write(file, line)
            self._written += 1
            if self._written % _LOOKED_AT_EVERY == 0:
                # Keep only the last lines; a line another process writes at this moment may be
                # lost.
                size = os.fstat(file).st_size
                if size > _LARGEST:
                    lines = os.pread(file, size, 0).splitlines(keepends=True)[-KEPT:]
                    os.ftruncate(file, 0)
                    os.write(file, b"".join(lines))

    def noted_keys(self) -> Iterator[str]:
        """Yield the ids of the keys that have a file."""
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            if is_id(path.stem):
                yield path.stem

    def newest(self, key_id: str) -> Sequence[LastCall]:
        """Return the last calls of a key, oldest first; incomplete lines are skipped."""
        try:
            raw = self._path_of_key(key_id).read_bytes()
        except OSError:
            return []
        found = (_read_call(key_id, line) for line in raw.splitlines()[-KEPT:])
        return [call for call in found if call is not None]

    def forget(self, key_id: str) -> None:
        """Delete the file of a key that no longer exists."""
        with contextlib.suppress(OSError):
            self._path_of_key(key_id).unlink()

    def close(self) -> None:
        """Close the files."""
        with self._alone:
            self._give_back()

    def _give_back(self) -> None:
        while self._open:
            os.close(self._open.popitem()[1])

    def _open_slot(self, key_id: str) -> int:
        if len(self._open) >= _MOST_OPEN:
            self._give_back()
        self._folder.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        file = self._open[key_id] = os.open(self._path_of_key(key_id), flags, 0o600)
        return file

    def _path_of_key(self, key_id: str) -> Path:
        return self._folder / f"{key_id}{_SUFFIX}"


def _read_call(key_id: str, line: bytes) -> LastCall | None:
    words = line.split(b" ", _WORDS - 1)
    if len(words) != _WORDS or not all(word.isdigit() for word in words[:3]):
        return None
    at_us, status, milliseconds = map(int, words[:3])
    method, path = (word.decode(errors="replace") for word in words[3:])
    digest = blake2b(line, key=key_id.encode(), digest_size=9).digest()
    id_ = shape_id(at_us // 1_000, int.from_bytes(digest))
    return LastCall(id_, instant_of(at_us), method, path, status, milliseconds)
