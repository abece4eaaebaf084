"""LINE, WhatsApp and a relay in one, small enough to read: real HTTP that keeps what it takes."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

Answer = tuple[int, bytes]


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    payload: Mapping[str, Any]


@dataclass
class Messenger:
    """What arrived, what was taken under which key, and how the next requests are answered."""

    address: str = ""
    asked: list[Asked] = field(default_factory=list)
    taken: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    next_answers: list[Answer] = field(default_factory=list)
    loses_answers: int = 0
    file_address: str | None = None
    """Where WhatsApp says files are, if not here."""

    def __post_init__(self) -> None:
        self.goes_on = Event()
        self.goes_on.set()

    def paths(self, end: str) -> list[str]:
        """The addresses that were asked for, of those with an end."""
        return [one.path for one in self.asked if one.path.endswith(end)]

    def answer(self, asked: Asked) -> Answer:
        """Do what was asked; what came under a key once is not taken twice."""
        if asked.method == "GET":
            return self._given(asked)
        key = asked.headers.get("X-Line-Retry-Key") or asked.headers.get("Idempotency-Key")
        if key is not None and key in self.taken:
            return 409, b'{"message": "The retry key is already accepted"}'
        number = len(self.taken) + 1
        self.taken[key or f"without-{number}"] = asked.payload
        if asked.path.endswith("/push"):
            return _json({"sentMessages": [{"id": f"line-{number}"}]})
        if asked.path.endswith("/messages") and "messaging_product" in asked.payload:
            return _json({"messages": [{"id": f"wamid.out-{number}"}]})
        return _json({"ok": True})

    def _given(self, asked: Asked) -> Answer:
        parts = asked.path.strip("/").split("/")
        if "profile" in parts and parts[-1] in self.names:
            return _json({"displayName": self.names[parts[-1]]})
        if parts[-1] == "content" and parts[-2] in self.files:
            return 200, self.files[parts[-2]]
        if parts[0] == "stored" and parts[-1] in self.files:
            return 200, self.files[parts[-1]]
        if parts[-1] in self.files:
            place = self.file_address or f"{self.address}/stored/{parts[-1]}"
            return _json({"url": place, "mime_type": "image/jpeg", "id": parts[-1]})
        return 404, b'{"message": "Not found"}'


def _json(given: Mapping[str, Any]) -> Answer:
    return 200, json.dumps(given).encode()


@contextmanager
def open_messenger() -> Iterator[Messenger]:
    """A messenger at a free port, gone with the block."""
    messenger = Messenger()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self._take()

        def do_GET(self) -> None:
            self._take()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def _take(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            result = json.loads(body) if body else {}
            asked = Asked(self.command, self.path, dict(self.headers), result)
            messenger.asked.append(asked)
            messenger.goes_on.wait(5)
            if messenger.next_answers:
                status, content = messenger.next_answers.pop(0)
            else:
                status, content = messenger.answer(asked)
            if messenger.loses_answers:
                messenger.loses_answers -= 1
                self.close_connection = True
                return
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        messenger.address = f"http://127.0.0.1:{server.server_address[1]}"
        serving = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        serving.start()
        yield messenger
        server.shutdown()
        serving.join()
