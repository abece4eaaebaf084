"""Keeps the bodies of listings for as long as the catalogue they show has not changed."""

import gzip
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

MOST_BYTES = 64 * 1024 * 1024
_LEVEL = 6
_BESIDE = 600  # what keeping one body takes beside its texts, measured in bytes


class Body(NamedTuple):
    """One serialised answer, plain and compressed, under the tag it is true for."""

    tag: str
    plain: bytes
    compressed: bytes


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
        """Keep a body, compressed once."""
        body = Body(tag, plain, gzip.compress(plain, _LEVEL, mtime=0))
        key = workspace_id, question
        with self._lock:
            self._drop(key)
            self._bodies[key] = body
            self._bytes += _size(key, body)
            while self._bytes > self._most_bytes and len(self._bodies) > 1:
                self._drop(next(iter(self._bodies)))
        return body

    def _drop(self, key: tuple[str, str]) -> None:
        old = self._bodies.pop(key, None)
        if old is not None:
            self._bytes -= _size(key, old)


def _size(key: tuple[str, str], body: Body) -> int:
    # Many small answers to many long questions are mostly questions.
    return _BESIDE + len(key[1]) + len(body.plain) + len(body.compressed)
