"""What stands for the client's machine or household when tries are counted."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from flask import request

_NEIGHBOURS_BITS: Final = 64  # one household has that many addresses of the sixth version


def client() -> str:
    """Return the address of the client, of the sixth version its network."""
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(ip_network((address, _NEIGHBOURS_BITS), strict=False))
    return str(address)
