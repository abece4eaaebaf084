"""Lends connections to threads and never carries one across a fork."""

import os
from collections import deque
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    """What every connection can do."""

    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class IdleConnections(Generic[C]):
    """The connections of this process that no thread is using just now.

    Lending, rather than one a thread, keeps as many as ever worked at once: threads that end
    leave nothing open.
    """

    def __init__(self, open_one: Callable[[], C]) -> None:
        self._open_one = open_one
        self._idle: deque[C] = deque()
        self._pid = os.getpid()
        self._inherited: list[deque[C]] = []

    def take(self) -> C:
        """Return a connection that no other thread uses."""
        if self._pid != os.getpid():
            self._forget_the_parents()
        try:
            return self._idle.pop()
        except IndexError:
            return self._open_one()

    def give_back(self, connection: C) -> None:
        """Let another thread use it."""
        self._idle.append(connection)

    def close(self) -> None:
        """Close those that are idle."""
        while self._idle:
            self._idle.pop().close()

    def __del__(self) -> None:
        if self._pid == os.getpid():
            self.close()

    def _forget_the_parents(self) -> None:
        # Closing here would speak on the parent's socket, or drop the parent's file locks.
        self._inherited.append(self._idle)
        self._idle = deque()
        self._pid = os.getpid()
