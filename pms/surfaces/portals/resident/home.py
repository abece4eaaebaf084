"""The resident's home: straight to the only tenancy, or a choice among several."""

from flask import Response, url_for

from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.portals.resident import own


def show() -> Response:
    """Go on to the only tenancy, or let one be chosen."""
    owned = own.tenancies()
    if len(owned) == 1:
        return go(url_for(".tenancy", reservation_id=owned[0].id))
    return page("portals/resident/chooser.html", tenancies=owned)


def show_tenancy(reservation_id: str) -> Response:
    """One tenancy at a glance."""
    return page("portals/resident/home.html", tenancy=own.tenancy(reservation_id))


ADDRESSES = (
    PortalAddress("/", "home", show),
    PortalAddress(f"/<{own.PARAMETER}>", "tenancy", show_tenancy),
)
