"""Waits for the provider's page on which a document is signed, and leads on to it."""

from flask import Response, url_for
from wtforms import Form

from pms.contracts.ask_signing_page import ask_signing_page
from pms.contracts.explanations import is_unexplained
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import clock, reading, submitted
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.documents import signing
from pms.surfaces.portals.resident.documents.own_contract import own_contract


def ask(reservation_id: str, contract_id: str) -> Response:
    """Have the page asked for; it is good for a few minutes."""
    record = own_contract(reservation_id, contract_id)
    if record.may_be_signed and is_unexplained(reading(), record):
        return go(url_for(".explanation", reservation_id=reservation_id, contract_id=contract_id))
    back = url_for(".documents", reservation_id=reservation_id)
    here = url_for(".signing_page", reservation_id=reservation_id, contract_id=contract_id)
    return submitted(
        Form(),
        act=lambda session: ask_signing_page(
            session, clock(), contract_id=contract_id, return_path=back
        ),
        then=lambda _none: go(here),
        again=lambda: signing.show(reservation_id, contract_id),
    )


def show(reservation_id: str, contract_id: str) -> Response:
    """Show the way on once there is one."""
    return page(
        "portals/resident/documents/provider.html",
        tenancy=own.tenancy(reservation_id),
        contract=own_contract(reservation_id, contract_id),
    )
