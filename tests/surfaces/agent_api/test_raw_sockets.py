"""What no client library would send, to the real server: refused in one field, never a 5xx."""

import json
import socket
from collections.abc import Callable, Iterator

import pytest

from pms.access.keys import issue_key
from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from pms.surfaces.command_line.gunicorn_config import reword_refusal
from tests.cast import Cast
from tests.servers.served import served

PATH = b"/api/agent/properties"
Send = Callable[[bytes], tuple[int, bytes]]


@pytest.fixture
def key(database: Database, cast: Cast) -> bytes:
    with database.writing(cast.sumida.workspace_id) as session:
        scopes = [Scope.PROPERTIES_READ]
        issued = issue_key(
            Work(session, SystemClock(), "staff"),
            name="raw",
            scopes=scopes,
            budget_per_hour=1_000_000,
        )
    return issued.plaintext.encode()


@pytest.fixture
def send(settings: Settings, key: bytes) -> Iterator[Send]:
    """The server as `pms web` starts it, over the database of the test."""
    with served(settings) as server:
        yield lambda raw: answer_to(server.port, raw)
        assert "Traceback" not in server.log()


def answer_to(port: int, raw: bytes) -> tuple[int, bytes]:
    """The status and the body of the answer to these octets."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        answer = b""
        try:
            client.sendall(raw)
            client.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # refused before everything was sent
        try:
            while received := client.recv(65_536):
                answer += received
        except ConnectionResetError:
            pass
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), body


# What is sent, `{key}` standing for a key that works, and the status it gets.
REQUESTS: dict[str, tuple[bytes, int]] = {
    "a plain request": (b"GET {path} HTTP/1.1\r\n{usual}\r\n", 200),
    "a query of 4,000 letters": (b"GET {path}?search={4000} HTTP/1.1\r\n{usual}\r\n", 400),
    "a query of 100,000 letters": (b"GET {path}?search={100000} HTTP/1.1\r\n{usual}\r\n", 414),
    "a path of 100,000 letters": (b"GET {path}/{100000} HTTP/1.1\r\n{usual}\r\n", 414),
    "a header of 100,000 letters": (b"GET {path} HTTP/1.1\r\nA: {100000}\r\n{usual}\r\n", 431),
    "a key of 8,000 letters": (b"GET {path} HTTP/1.1\r\nAuthorization: Bearer {4000}\r\n\r\n", 401),
    "500 headers": (b"GET {path} HTTP/1.1\r\n" + b"A: 1\r\n" * 500 + b"{usual}\r\n", 431),
    "a zero in a header": (b"GET {path} HTTP/1.1\r\nA: a\0b\r\n{usual}\r\n", 400),
    "a zero in the path": (b"GET {path}\0 HTTP/1.1\r\n{usual}\r\n", 400),
    "a zero, encoded": (b"GET {path}/%00 HTTP/1.1\r\n{usual}\r\n", 404),
    "a zero in the query": (b"GET {path}?search=%00 HTTP/1.1\r\n{usual}\r\n", 400),
    "octets above ASCII in the path": (b"GET {path}/\xe3\x81\x82 HTTP/1.1\r\n{usual}\r\n", 400),
    "no UTF-8 in the query": (b"GET {path}?search=\xff HTTP/1.1\r\n{usual}\r\n", 400),
    "no UTF-8, encoded": (b"GET {path}?search=%FF%ED%A0%80 HTTP/1.1\r\n{usual}\r\n", 400),
    "half a percent": (b"GET {path}?search=% HTTP/1.1\r\n{usual}\r\n", 200),
    "dots": (b"GET {path}/%2e%2e%2f%zz HTTP/1.1\r\n{usual}\r\n", 404),
    "a blank in the path": (b"GET {path}/a b HTTP/1.1\r\n{usual}\r\n", 400),
    "no version": (b"GET {path}\r\n\r\n", 400),
    "an unknown version": (b"GET {path} HTTP/9.9\r\n{usual}\r\n", 400),
    "no HTTP at all": (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
    "a method in small letters": (b"get {path} HTTP/1.1\r\n{usual}\r\n", 400),
    "another method": (b"BREW {path} HTTP/1.1\r\n{usual}\r\n", 405),
    "no slash": (b"GET api/agent HTTP/1.1\r\n{usual}\r\n", 400),
    "an absolute address": (b"GET http://localhost{path} HTTP/1.1\r\n{usual}\r\n", 200),
    "two hosts": (b"GET {path} HTTP/1.1\r\nHost: a\r\n{usual}\r\n", 400),
    "a negative length": (b"GET {path} HTTP/1.1\r\nContent-Length: -5\r\n{usual}\r\n", 400),
    "a length of 20 digits": (
        b"POST {path} HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n{usual}\r\n",
        405,
    ),
    "two lengths": (
        b"GET {path} HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n{usual}\r\nhello!",
        400,
    ),
    "an unknown coding": (b"GET {path} HTTP/1.1\r\nTransfer-Encoding: odd\r\n{usual}\r\n", 400),
    "a length and a coding": (
        b"GET {path} HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n{usual}\r\n",
        400,
    ),
    "broken chunks": (
        b"POST {path} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n{usual}\r\nZZ\r\nx\r\n",
        405,
    ),
    "an odd expectation": (b"GET {path} HTTP/1.1\r\nExpect: magic\r\n{usual}\r\n", 417),
    "a folded header": (b"GET {path} HTTP/1.1\r\nA: a\r\n b\r\n{usual}\r\n", 400),
    "a header without a colon": (b"GET {path} HTTP/1.1\r\nA\r\n{usual}\r\n", 400),
    "100,000 brackets on a GET": (
        b"GET {path} HTTP/1.1\r\nContent-Length: 100000\r\n{usual}\r\n" + b"[" * 100_000,
        200,
    ),
    "100,000 brackets posted": (
        b"POST {path} HTTP/1.1\r\nContent-Length: 100000\r\n{usual}\r\n" + b"[" * 100_000,
        405,
    ),
    "two keys": (b"GET {path} HTTP/1.1\r\nAuthorization: Bearer {key}\r\n{usual}\r\n", 401),
    "a key beyond ASCII": (b"GET {path} HTTP/1.1\r\nAuthorization: Bearer \xff\r\n\r\n", 401),
    "a key in capitals": (b"GET {path} HTTP/1.1\r\nAUTHORIZATION: BEARER {key}\r\n\r\n", 200),
    "an upgrade": (b"GET {path} HTTP/1.1\r\nUpgrade: websocket\r\n{upgrade}\r\n", 400),
}


def filled(raw: bytes, key: bytes) -> bytes:
    common = b"Authorization: Bearer " + key + b"\r\nHost: localhost\r\n"
    words = {
        b"{path}": PATH,
        b"{usual}": common + b"Connection: close\r\n",
        b"{upgrade}": common + b"Connection: upgrade\r\n",
        b"{key}": key,
        b"{4000}": b"x" * 4_000,
        b"{100000}": b"x" * 100_000,
    }
    for word, value in words.items():
        raw = raw.replace(word, value)
    return raw


def test_whatever_octets_are_sent_the_answer_is_json_and_no_server_error(
    send: Send, key: bytes
) -> None:
    for name, (raw, expected) in REQUESTS.items():
        status, body = send(filled(raw, key))
        assert status == expected, (name, status, body[:200])
        answer = json.loads(body)
        assert set(answer) == ({"ok", "data"} if status == 200 else {"error"}), name
    assert send(filled(REQUESTS["a plain request"][0], key))[0] == 200


@pytest.mark.parametrize(
    ("status", "expected"), [(400, 400), (403, 403), (414, 414), (431, 431), (501, 400), (500, 500)]
)
def test_an_error_page_of_the_server_is_said_in_one_field(status: int, expected: int) -> None:
    page = f"HTTP/1.1 {status} Anything\r\nContent-Type: text/html\r\n\r\n<html>".encode()
    head, _, body = reword_refusal(page).partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {expected} ".encode())
    assert f"Content-Length: {len(body)}".encode() in head
    assert set(json.loads(body)) == {"error"}
