"""Waits for the provider's page, leads on to it, and tells how the payment stands afterwards."""

from flask import Response, request

from pms.checkouts.queries import checkout_record
from pms.foundation.errors import NotFound
from pms.ledger.queries import entry_record
from pms.surfaces.hypermedia import page
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own


def show(reservation_id: str) -> Response:
    """Show one visit of this reservation; the provider sends people back here."""
    checkout_id = request.args.get("checkout", "")
    visit = checkout_record(reading(), checkout_id)
    if visit.reservation_id != reservation_id:
        raise NotFound("There is no checkout '{checkout_id}'.", checkout_id=checkout_id[:60])
    return page(
        "portals/resident/payments/visit.html",
        tenancy=own.tenancy(reservation_id),
        visit=visit,
        label=entry_record(reading(), visit.entry_id).label,
        is_back=request.args.get("back") == "1",
    )
