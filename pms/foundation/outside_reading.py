"""Reads a page of the public internet at a URL that a user typed.

Only public addresses are connected to; size and time are bounded.
"""

import socket
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Timer
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urljoin, urlsplit

LONGEST_URL: Final = 1_000
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
# The special-purpose ranges of IANA: which of them Python calls global differs from release to
# release.
_SPECIAL: Final = tuple(
    ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        *("::/8", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23"),
        *("2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10"),
        *("fec0::/10", "ff00::/8"),
    )
)

Address = IPv4Address | IPv6Address


class Unreachable(Exception):
    """A URL that is not fetched; the code says why."""

    def __init__(self, code: str, **facts: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class Target(NamedTuple):
    """The parts of a URL: where to connect and what to request."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


def target_of(url: str) -> Target:
    """Return the target of a URL; raise `Unreachable` when it is malformed or not allowed."""
    if len(url) > LONGEST_URL or not (url.isascii() and url.isprintable()) or " " in url:
        raise Unreachable("not_an_address")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Unreachable("not_an_address") from None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or port == 0:
        raise Unreachable("not_an_address")
    if parts.username is not None or parts.password is not None:
        raise Unreachable("has_password")
    return Target(
        parts.scheme, parts.hostname, port or _DEFAULT_PORTS[parts.scheme], _path_of(parts)
    )


def check_url(url: str) -> None:
    """Raise `Unreachable` for a URL that is refused without any look-up in the network."""
    host = target_of(url).host
    try:
        address = ip_address(host)
    except ValueError:
        if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
            raise Unreachable("inside") from None
        return
    if not is_public(address):
        raise Unreachable("inside")


def resolve_target(target: Target, allowed_networks: Sequence[str] = ()) -> str:
    """Return the address to connect to; every address of the name must be public.

    The connection uses this very address: a second look-up could give another answer.
    """
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable("unknown_host") from None
    addresses = [str(entry[4][0]) for entry in found]
    networks = [ip_network(network) for network in allowed_networks]
    for text in addresses:
        address = ip_address(text.partition("%")[0])
        if not is_public(address) and not any(address in network for network in networks):
            raise Unreachable("inside")
    if not addresses:
        raise Unreachable("unknown_host")
    return addresses[0]


def is_public(address: Address) -> bool:
    """Whether an address is public, and no translated or tunnelled form of a private one."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if any(address in network for network in _SPECIAL):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _path_of(parts: SplitResult) -> str:
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path


class OutsideConnection(HTTPConnection):
    """A connection to one checked address, which is shut down when its time is over."""

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
            # The handshake comes after the socket is stored, so that it can be shut down meanwhile.
            self.sock = self._open = context.wrap_socket(
                plain, server_hostname=self._target.host, do_handshake_on_connect=False
            )
            self.sock.do_handshake()
        if self.is_late:  # the time was over before the socket existed
            raise TimeoutError

    @contextmanager
    def limit_time(self) -> Iterator[None]:
        """Shut the socket down when the time is over."""
        watch = Timer(self._patience, self._shut_socket)
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()

    def _shut_socket(self) -> None:
        self.is_late = True
        # `sock` is cleared as soon as the response's head is read; its body still follows.
        if self._open is not None:
            try:
                # The plain method: TLS's own drops the object that another thread is reading with.
                socket.socket.shutdown(self._open, socket.SHUT_RDWR)
            except OSError:
                return


# The connection goes to the address that was checked, every redirect is checked again, and
# responses are not decompressed.
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_UNCHANGED: Final = 304
_OK: Final = 200


@dataclass(frozen=True)
class Bounds:
    """Limits of size and time, and the networks allowed besides the public ones."""

    most_bytes: int
    patience_seconds: float = 20.0
    most_redirects: int = 3
    allowed_networks: Sequence[str] = field(default=())


class OutsidePage(NamedTuple):
    """The response; without content when it was not modified."""

    content: bytes | None
    etag: str | None
    last_modified: str | None


def read_outside(url: str, headers: Mapping[str, str], bounds: Bounds) -> OutsidePage:
    """Return the page of a URL; raise `Unreachable` with the reason on failure."""
    for _ in range(bounds.most_redirects + 1):
        target = target_of(url)
        with _open_response(target, headers, bounds) as answer:
            if answer.status not in _REDIRECTS:
                return _read_page(answer, bounds)
            location = answer.getheader("Location")
            if not location:
                raise Unreachable("bad_answer")
            # `urljoin` raises for a malformed URL; `target_of` refuses what it lets through.
            try:
                following = urljoin(url, location)
            except ValueError:
                raise Unreachable("bad_answer") from None
            if target.scheme == "https" and not following.startswith("https://"):
                raise Unreachable("less_safe")
            url = following
    raise Unreachable("too_many_redirects")


def _read_page(answer: HTTPResponse, bounds: Bounds) -> OutsidePage:
    tags = answer.getheader("ETag"), answer.getheader("Last-Modified")
    if answer.status == _UNCHANGED:
        return OutsidePage(None, *tags)
    if answer.status != _OK:
        raise Unreachable("status", status=answer.status)
    content = answer.read(bounds.most_bytes + 1)
    if len(content) > bounds.most_bytes:
        raise Unreachable("too_large", most=bounds.most_bytes // (1024 * 1024))
    if answer.length:  # fewer bytes arrived than announced
        raise Unreachable("bad_answer")
    return OutsidePage(content, *tags)


@contextmanager
def _open_response(
    target: Target, headers: Mapping[str, str], bounds: Bounds
) -> Iterator[HTTPResponse]:
    address = resolve_target(target, bounds.allowed_networks)
    connection = OutsideConnection(target, address, bounds.patience_seconds)
    try:
        with connection.limit_time():
            own = {"Host": target.host_header, "Accept-Encoding": "identity", "Connection": "close"}
            connection.request("GET", target.path, headers={**headers, **own})
            with connection.getresponse() as answer:
                yield answer
    except Unreachable:
        if connection.is_late:
            raise Unreachable("too_slow") from None
        raise
    except (OSError, HTTPException, ValueError, AttributeError) as failure:
        # Reading a socket that was shut down meanwhile raises various errors.
        if connection.is_late or isinstance(failure, TimeoutError):
            code = "too_slow"
        elif isinstance(failure, ssl.SSLError):
            code = "bad_certificate"
        else:
            code = "bad_answer" if isinstance(failure, HTTPException) else "no_connection"
        raise Unreachable(code) from failure
    finally:
        connection.close()
    if connection.is_late:
        raise Unreachable("too_slow")
