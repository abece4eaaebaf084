"""What stands for the client's machine or household when tries are counted."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from flask import request

_NEIGHBOURS_BITS: Final = 64  # one household has that many addresses of the sixth version
_AROUND_BITS: Final = (24, 48)  # one customer of a provider has at most that many networks


def client() -> str:
    """Return the address of the client, of the sixth version its network."""
    return _network(32, _NEIGHBOURS_BITS)


def neighbourhood() -> str:
    """Return the wider network around the client: whoever has one address there may have many."""
    return _network(*_AROUND_BITS)


def _network(bits: int, bits_of_sixth: int) -> str:
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return str(ip_network((address, bits_of_sixth), strict=False))
        address = address.ipv4_mapped
    return str(address) if bits == 32 else str(ip_network((address, bits), strict=False))
