"""The owner's home."""

from flask import Response

from pms.surfaces.hypermedia import page
from pms.surfaces.portals.reach import PortalAddress


def show() -> Response:
    """What belongs to the owner at a glance."""
    return page("portals/owner/home.html")


ADDRESSES = (PortalAddress("/", "home", show),)
