"""Finds a port that nobody listens on."""

import os
import socket
from itertools import count

# Below the ports that systems hand out by themselves (from 32768 on Linux, from 49152 elsewhere),
# so that no connection of another program takes one between the search and its use.
_FIRST, _LAST = 20_000, 32_000
# Test processes that run at once have process ids near each other.
_numbers = count(os.getpid() * 101)


def free_port() -> int:
    """Return another port each time."""
    while True:
        port = _FIRST + next(_numbers) % (_LAST - _FIRST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
