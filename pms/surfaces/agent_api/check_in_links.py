"""`POST /api/agent/check-in-links`: a guest's booking, and the link by which they check in."""

from datetime import UTC
from typing import Any

from flask import Response

from pms.catalogue.checked_texts import LONGEST_NAME
from pms.foundation.tenancy import WorkspaceSession
from pms.stays.create_check_in_link import create_check_in_link
from pms.stays.link_stay import MOST_GUESTS
from pms.stays.stay_links import stay_link
from pms.surfaces.agent_api.addresses import check_in_address
from pms.surfaces.agent_api.json_body import JsonBody
from pms.surfaces.agent_api.unit_shapes import instant_text
from pms.surfaces.agent_api.writing import key_actor, written
from pms.surfaces.request_scope import clock, today
from pms.surfaces.signed_in import doorway


def make_check_in_link() -> Response:
    """Book the nights for the guest and answer the link; nobody is written to."""
    body = JsonBody.read()
    facts: dict[str, Any] = {
        "unit_id": body.identity("unitId", needed=True),
        "check_in": body.day("checkIn", needed=True),
        "check_out": body.day("checkOut", needed=True),
        "guest_name": body.line("guestName", LONGEST_NAME, needed=True),
        "guests": body.whole("guests", 1, MOST_GUESTS) or 1,
        "email": body.email("email"),
        "locale": body.locale("locale"),
        "external_id": body.external_id(),
    }
    body.finish()

    def make(session: WorkspaceSession) -> dict[str, Any]:
        link_id = create_check_in_link(session, clock(), key_actor(), **facts) or ""
        link = stay_link(session, link_id, today())
        return {
            "id": link.id,
            "url": check_in_address(link.token(doorway().sealer)),
            "reservationId": link.reservation_id,
            "expiresAt": link.ends_at and instant_text(link.ends_at.astimezone(UTC)),
        }

    return written(make)
