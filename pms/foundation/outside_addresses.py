"""Says which machines an address that somebody typed may lead to: those of the public internet."""

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

LONGEST_URL: Final = 1_000
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
# The ranges that IANA keeps for special purposes: which of them Python calls global differs from
# release to release.
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
    """An address that is not gone to; the code says why."""

    def __init__(self, code: str, **facts: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class Target(NamedTuple):
    """Where a URL leads, in its parts."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        """The host as the server is told it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


def target_of(url: str) -> Target:
    """Return where a URL leads; raise `Unreachable` for one that leads nowhere allowed."""
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
    """Raise `Unreachable` for what can be known to be refused without asking the network."""
    host = target_of(url).host
    try:
        address = ip_address(host)
    except ValueError:
        if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
            raise Unreachable("inside") from None
        return
    if not is_public(address):
        raise Unreachable("inside")


def resolved(target: Target, allowed_networks: Sequence[str] = ()) -> str:
    """Return the address to connect to; every one the name stands for must be public.

    Whoever connects uses this very address: a second look-up could be answered otherwise.
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
    """Whether an address is one of the public internet, and no way round to another."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if any(address in network for network in _SPECIAL):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _path_of(parts: SplitResult) -> str:
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path
