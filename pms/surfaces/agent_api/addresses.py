"""Builds the absolute addresses that answers carry."""

from flask import current_app, url_for

from pms.foundation.settings import Settings

SETTINGS = "pms.settings"


def photo_address(workspace_slug: str, photo_id: str, width: int) -> str:
    """Return where a picture is served at a width."""
    return f"{own_address()}/photos/{workspace_slug}/{photo_id}/{width}.webp"


def check_in_address(token: str) -> str:
    """Return what a guest opens to check in."""
    return own_address() + url_for("guest_checkin.stay", token=token)


def offer_address(token: str) -> str:
    """Return what somebody opens who is offered a unit."""
    return own_address() + url_for("reservation_links.offer", token=token)


def own_address() -> str:
    """Return the address this service is reached at, without a slash at its end."""
    settings: Settings = current_app.extensions[SETTINGS]
    return settings.base_url
