"""A real little web server that plays a channel's calendar, well and badly."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

LOOPBACK = ("127.0.0.0/8",)


@dataclass
class Channel:
    """What it answers next, and how it was asked."""

    port: int = 0
    status: int = 200
    content: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    etag: str = ""
    trickle: Event = field(default_factory=Event)
    is_slow: bool = False
    asked: list[Mapping[str, str]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/calendar/secret-9F3a.ics?s=1"


class _Answering(BaseHTTPRequestHandler):
    channel: Channel

    def do_GET(self) -> None:  # the library's name
        channel = self.channel
        channel.asked.append(dict(self.headers))
        is_known = bool(channel.etag) and self.headers.get("If-None-Match") == channel.etag
        self.send_response(304 if is_known else channel.status)
        for name, value in channel.headers.items():
            self.send_header(name, value)
        if channel.etag:
            self.send_header("ETag", channel.etag)
        self.end_headers()
        if channel.is_slow:
            self._trickle()
        elif not is_known:
            self._send(channel.content)

    def _trickle(self) -> None:
        """A letter now and then, each in time, the whole never."""
        while not self.channel.trickle.wait(0.02):
            if not self._send(b"X"):
                return

    def _send(self, content: bytes) -> bool:
        try:
            self.wfile.write(content)
        except OSError:  # who asked has heard enough
            return False
        return True

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@contextmanager
def open_channel() -> Iterator[Channel]:
    """Serve until the test is over."""
    channel = Channel()
    handler = type("Answering", (_Answering,), {"channel": channel})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        channel.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield channel
        finally:
            channel.trickle.set()
            server.shutdown()
            thread.join()
