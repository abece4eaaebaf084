"""Describe who is making the request: address, client and browser."""

from typing import Final

from flask import Response, current_app, request

from pms.access.sessions import Visitor
from pms.foundation.tokens import new_token, token_hash
from pms.rules.addresses import folded_address
from pms.surfaces.signed_in import client, device_name, doorway, neighbourhood

_DEVICE: Final = "device"
_YEAR_SECONDS: Final = 365 * 24 * 60 * 60


def visitor(typed_address: str) -> Visitor:
    """Return the visitor with the typed address."""
    address = folded_address(typed_address)
    return Visitor(address, client(), device_name(), _known_device(address), neighbourhood())


def remember_device(response: Response, address: str) -> Response:
    """Set a cookie that marks this browser as one in which the address has signed in."""
    response.set_cookie(
        _cookie_name(),
        doorway().signer.signed(_DEVICE, token_hash(address), new_token()),
        max_age=_YEAR_SECONDS,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Lax",
    )
    return response


def _known_device(address: str) -> str:
    parts = doorway().signer.read(_DEVICE, request.cookies.get(_cookie_name(), ""))
    is_known = parts is not None and len(parts) == 2 and parts[0] == token_hash(address)
    return parts[1] if parts and is_known else ""


def _cookie_name() -> str:
    return "__Host-device" if current_app.config["SESSION_COOKIE_SECURE"] else _DEVICE
