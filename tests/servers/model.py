"""A language model small enough to read: real HTTP at an OpenAI-compatible address."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any


@dataclass
class Model:
    """What it was asked, and how it behaves: `says` is its reply, `raw` whatever else it sends."""

    address: str = ""
    says: str | Callable[[Mapping[str, Any]], str] = "03-0000-0000 までお問い合わせください。"
    usage: Any = field(default_factory=lambda: {"prompt_tokens": 1_000, "completion_tokens": 100})
    status: int = 200
    raw: bytes | None = None
    asked: list[Mapping[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.goes_on = Event()
        self.goes_on.set()

    def answer(self, given: Mapping[str, Any]) -> bytes:
        """Return what is sent for a question."""
        if self.raw is not None:
            return self.raw
        if self.status != 200:
            return json.dumps({"error": {"message": "The model is overloaded."}}).encode()
        words = self.says(given) if callable(self.says) else self.says
        message = {"role": "assistant", "content": words}
        return json.dumps({"choices": [{"message": message}], "usage": self.usage}).encode()


@contextmanager
def open_model() -> Iterator[Model]:
    """A model at a free port, gone with the block."""
    model = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.asked.append({**body, "path": self.path})
            model.keys.append(self.headers.get("Authorization", ""))
            model.goes_on.wait(5)
            content = model.answer(body)
            self.send_response(model.status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            try:
                self.wfile.write(content)
            except OSError:
                return

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        model.address = f"http://127.0.0.1:{server.server_address[1]}/v1"
        serving = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        serving.start()
        yield model
        model.goes_on.set()
        server.shutdown()
        serving.join()
