"""Lets operators read the metrics: from this very machine, or with the operator's token."""

from hmac import compare_digest
from ipaddress import ip_address

from flask import abort, request

# A proxy on the same machine forwards strangers from a loopback address, and says so.
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-Ip")


def admit_operator(token: str | None) -> None:
    """Answer everyone else as if there were nothing here."""
    if not (_has(token) or _is_on_this_machine()):
        abort(404)


def _has(token: str | None) -> bool:
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    if token is None or scheme.lower() != "bearer":
        return False
    return compare_digest(given.strip().encode(), token.encode())


def _is_on_this_machine() -> bool:
    if any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False
