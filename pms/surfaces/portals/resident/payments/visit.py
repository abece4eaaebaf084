"""Waits for the provider's page, leads on to it, and tells how the payment stands afterwards."""

from flask import Response, request

from pms.checkouts.look_up_soon import look_up_soon
from pms.checkouts.queries import awaits_look, checkout_record
from pms.foundation.errors import NotFound
from pms.ledger.queries import entry_record
from pms.surfaces.hypermedia import page
from pms.surfaces.portals.portal import clock, portal, reading
from pms.surfaces.portals.resident import own
from pms.surfaces.request_scope import database


def show(reservation_id: str) -> Response:
    """Show one visit of this reservation; the provider sends people back here."""
    checkout_id = request.args.get("checkout", "")
    visit = checkout_record(reading(), checkout_id)
    if visit.reservation_id != reservation_id:
        raise NotFound("There is no checkout '{checkout_id}'.", checkout_id=checkout_id[:60])
    is_back = request.args.get("back") == "1"
    if is_back and awaits_look(reading(), visit.id):
        database().write(
            portal().workspace_id, lambda session: look_up_soon(session, clock(), visit.id)
        )
    return page(
        "portals/resident/payments/visit.html",
        tenancy=own.tenancy(reservation_id),
        visit=visit,
        label=entry_record(reading(), visit.entry_id).label,
        is_back=is_back,
    )
