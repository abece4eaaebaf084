"""Connects to one checked address of the public internet, for a bounded time altogether."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Timer

from pms.foundation.outside_addresses import Target


class OutsideConnection(HTTPConnection):
    """Goes to one checked address, and is shut when its time is over, whatever trickles in."""

    def __init__(self, target: Target, address: str, patience_seconds: float) -> None:
        super().__init__(target.host, target.port, timeout=patience_seconds)
        self._target = target
        self._address = address
        self._patience = patience_seconds
        self._open: socket.socket | None = None
        self.is_late = False

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), self._patience)
        self.sock = self._open = plain
        if self._target.scheme == "https":
            context = ssl.create_default_context()
            # The handshake comes after the socket is known, so that it can be shut meanwhile.
            self.sock = self._open = context.wrap_socket(
                plain, server_hostname=self._target.host, do_handshake_on_connect=False
            )
            self.sock.do_handshake()
        if self.is_late:  # the time was over before there was a socket to shut
            raise TimeoutError

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """Shut the socket when the time is over."""
        watch = Timer(self._patience, self._shut)
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()

    def _shut(self) -> None:
        self.is_late = True
        # `sock` is let go of as soon as the head of the answer is there; its body still comes.
        if self._open is not None:
            try:
                # The plain way: the one of TLS forgets what another thread is reading with.
                socket.socket.shutdown(self._open, socket.SHUT_RDWR)
            except OSError:
                return
