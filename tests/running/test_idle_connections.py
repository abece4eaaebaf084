"""Connections that say nothing, stop half way or send slowly hold up nobody else."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from pms.foundation.settings import Settings
from tests.cast import Cast
from tests.servers.served import Served, served

CONNECTIONS = 200
ALLOWED_SECONDS = 1.0
CUT_SECONDS = 12.0
HALF_A_HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HALF_A_FORM = (
    b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\naddress="
)


@pytest.fixture
def server(settings: Settings, cast: Cast) -> Iterator[Served]:
    with served(settings, workers=2) as running:
        running.ask("/sign-in")
        yield running
        assert "Traceback" not in running.log()


@contextmanager
def half_open(server: Served, sent: bytes) -> Iterator[list[socket.socket]]:
    """Hold two hundred connections on each of which so much was sent."""
    with ExitStack() as opened:
        held = []
        for _ in range(CONNECTIONS):
            one = socket.create_connection(("127.0.0.1", server.port), timeout=CUT_SECONDS)
            held.append(opened.enter_context(one))
            one.sendall(sent)
        yield held


def test_two_hundred_half_open_connections_slow_nobody_down(server: Served) -> None:
    for sent in (b"", HALF_A_HEAD, HALF_A_FORM):
        with half_open(server, sent):
            for path in ("/healthz", "/sign-in", "/healthz"):
                answer = server.ask(path)
                assert answer.status == 200
                assert answer.seconds < ALLOWED_SECONDS, (sent[:20], path)


@pytest.mark.thorough("waits until the server gives up")
def test_who_sends_nothing_more_is_cut_off_after_seconds(server: Served) -> None:
    with ExitStack() as opened:
        held = [
            opened.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            for _ in range(3)
        ]
        for one, sent in zip(held, (b"", HALF_A_HEAD, HALF_A_FORM), strict=True):
            one.settimeout(CUT_SECONDS)
            one.sendall(sent)
        began = time.perf_counter()
        answers = [one.recv(4096) for one in held]
        assert time.perf_counter() - began < CUT_SECONDS
    assert answers[:2] == [b"", b""]
    # What came of the form is no form.
    assert answers[2].startswith((b"HTTP/1.1 400", b"HTTP/1.1 408"))
