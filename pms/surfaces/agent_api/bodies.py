"""Keeps the bodies of listings for as long as the catalogue they show has not changed."""

import gzip
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

MOST_BYTES = 64 * 1024 * 1024
_LEVEL = 6
_BESIDE = 600  # what keeping one body takes beside its texts, measured in bytes


@dataclass(frozen=True)
class Body:
    """One serialised answer under the tag it is true for; compressed once somebody takes it so."""

    tag: str
    plain: bytes

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.plain, _LEVEL, mtime=0)


class Bodies:
    """The bodies of one process, the least used leaving first when they grow too large."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._bodies: OrderedDict[tuple[str, str], Body] = OrderedDict()
        self._most_bytes = most_bytes
        self._bytes = 0
        self._lock = Lock()

    def get(self, workspace_id: str, question: str, tag: str) -> Body | None:
        """Return the body of a question when it is still true."""
        with self._lock:
            body = self._bodies.get((workspace_id, question))
            if body is None or body.tag != tag:
                return None
            self._bodies.move_to_end((workspace_id, question))
            return body

    def put(self, workspace_id: str, question: str, tag: str, plain: bytes) -> Body:
        """Keep a body."""
        body = Body(tag, plain)
        key = workspace_id, question
        with self._lock:
            self._drop(key)
            self._bodies[key] = body
            self._bytes += _size(key, body)
            while self._bytes > self._most_bytes and len(self._bodies) > 1:
                self._drop(next(iter(self._bodies)))
        return body

    def forget(self) -> None:
        """Forget every body, when the database was replaced by another."""
        with self._lock:
            self._bodies.clear()
            self._bytes = 0

    def _drop(self, key: tuple[str, str]) -> None:
        old = self._bodies.pop(key, None)
        if old is not None:
            self._bytes -= _size(key, old)


def _size(key: tuple[str, str], body: Body) -> int:
    # Many small answers to many long questions are mostly questions. Compressed, an answer takes
    # at most as much again.
    return _BESIDE + len(key[1]) + 2 * len(body.plain)
