"""`POST /api/agent/reservation-links`: a unit offered to somebody from a day on."""

from datetime import UTC
from typing import Any

from flask import Response

from pms.catalogue.checked_texts import LONGEST_NAME
from pms.foundation.tenancy import WorkspaceSession
from pms.offers.create_reservation_link import create_reservation_link
from pms.surfaces.agent_api.addresses import offer_address
from pms.surfaces.agent_api.json_body import JsonBody
from pms.surfaces.agent_api.unit_shapes import instant_text
from pms.surfaces.agent_api.writing import key_actor, written
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import doorway


def make_reservation_link() -> Response:
    """Offer the unit for what it is let for today and answer the link; nobody is written to."""
    body = JsonBody.read()
    facts: dict[str, Any] = {
        "unit_id": body.identity("unitId", needed=True),
        "move_in_on": body.day("moveInDate", needed=True),
        "contract_end_on": body.day("contractEndDate"),
        "name": body.line("name", LONGEST_NAME),
        "email": body.email("email"),
        "locale": body.locale("locale"),
        "external_id": body.external_id(),
    }
    body.finish()

    def make(session: WorkspaceSession) -> dict[str, Any]:
        sealer = doorway().sealer
        link = create_reservation_link(session, clock(), key_actor(), **facts, sealer=sealer)
        return {
            "id": link.id,
            "url": offer_address(link.token),
            "expiresAt": instant_text(link.expires_at.astimezone(UTC)),
        }

    return written(make)
