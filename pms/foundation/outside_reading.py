"""Reads a page of the public internet whose address somebody typed: bounded in size and time."""

import socket
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Timer
from typing import Final, NamedTuple
from urllib.parse import urljoin

from pms.foundation.outside_addresses import Target, Unreachable, resolved, target_of


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


# The connection goes to the very address that was checked, every redirect is checked anew, and
# nothing that comes back is unpacked.
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_UNCHANGED: Final = 304
_OK: Final = 200


@dataclass(frozen=True)
class Bounds:
    """How much and how long is read, and which networks are allowed beside the public ones."""

    most_bytes: int
    patience_seconds: float = 20.0
    most_redirects: int = 3
    allowed_networks: Sequence[str] = field(default=())


class OutsidePage(NamedTuple):
    """What came back; no content when it is the one known already."""

    content: bytes | None
    etag: str | None
    last_modified: str | None


def read_outside(url: str, headers: Mapping[str, str], bounds: Bounds) -> OutsidePage:
    """Return the page of a URL; raise `Unreachable` with the reason when there is none."""
    for _ in range(bounds.most_redirects + 1):
        target = target_of(url)
        with _answer(target, headers, bounds) as answer:
            if answer.status not in _REDIRECTS:
                return _page(answer, bounds)
            url = _next(url, target, answer.getheader("Location"))
    raise Unreachable("too_many_redirects")


def _next(url: str, target: Target, location: str | None) -> str:
    if not location:
        raise Unreachable("bad_answer")
    # `urljoin` refuses a broken address by itself; `target_of` refuses what it leaves through.
    try:
        following = urljoin(url, location)
    except ValueError:
        raise Unreachable("bad_answer") from None
    if target.scheme == "https" and not following.startswith("https://"):
        raise Unreachable("less_safe")
    return following


def _page(answer: HTTPResponse, bounds: Bounds) -> OutsidePage:
    tags = answer.getheader("ETag"), answer.getheader("Last-Modified")
    if answer.status == _UNCHANGED:
        return OutsidePage(None, *tags)
    if answer.status != _OK:
        raise Unreachable("status", status=answer.status)
    content = answer.read(bounds.most_bytes + 1)
    if len(content) > bounds.most_bytes:
        raise Unreachable("too_large", most=bounds.most_bytes // (1024 * 1024))
    if answer.length:  # fewer bytes came than were announced
        raise Unreachable("bad_answer")
    return OutsidePage(content, *tags)


@contextmanager
def _answer(target: Target, headers: Mapping[str, str], bounds: Bounds) -> Iterator[HTTPResponse]:
    address = resolved(target, bounds.allowed_networks)
    connection = OutsideConnection(target, address, bounds.patience_seconds)
    try:
        with connection.hurried():
            connection.request("GET", target.path, headers=_answer_tags(target, headers))
            with connection.getresponse() as answer:
                yield answer
    except Unreachable:
        if connection.is_late:
            raise Unreachable("too_slow") from None
        raise
    except (OSError, HTTPException, ValueError, AttributeError) as failure:
        # A socket that is shut while it is read fails in ways of its own.
        raise Unreachable(_code_of(failure, is_late=connection.is_late)) from failure
    finally:
        connection.close()
    if connection.is_late:
        raise Unreachable("too_slow")


def _answer_tags(target: Target, headers: Mapping[str, str]) -> dict[str, str]:
    own = {"Host": target.host_header, "Accept-Encoding": "identity", "Connection": "close"}
    return {**headers, **own}


def _code_of(failure: Exception, *, is_late: bool) -> str:
    if is_late or isinstance(failure, TimeoutError):
        return "too_slow"
    if isinstance(failure, ssl.SSLError):
        return "bad_certificate"
    return "bad_answer" if isinstance(failure, HTTPException) else "no_connection"
