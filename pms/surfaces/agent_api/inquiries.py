"""`POST /api/agent/inquiries`: what a visitor of a website asks."""

from flask import Response

from pms.catalogue.checked_texts import LONGEST_NAME, LONGEST_TEXT
from pms.catalogue.known_unit import known_unit
from pms.enquiries.receive_enquiry import receive_enquiry
from pms.enquiries.written_enquiry import WrittenEnquiry
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import EnquirySource
from pms.surfaces.agent_api.json_body import JsonBody
from pms.surfaces.agent_api.writing import key_actor, written
from pms.surfaces.request_scope import clock


def submit_inquiry() -> Response:
    """Keep the enquiry; an earlier one of the same person is linked by itself."""
    body = JsonBody.read()
    external_id = body.external_id()
    enquiry = WrittenEnquiry(
        source=EnquirySource.WEBSITE,
        name=body.line("name", LONGEST_NAME, needed=True),
        email=body.email("email", needed=True),
        phone=body.phone("phone"),
        message=body.text("message", LONGEST_TEXT, needed=True),
        unit_id=body.identity("unitId"),
        move_in_on=body.day("moveInDate"),
        locale=body.locale("locale"),
    )
    body.finish()

    def receive(session: WorkspaceSession) -> dict[str, str]:
        if enquiry.unit_id:
            known_unit(session, enquiry.unit_id)
        id_ = receive_enquiry(
            session, clock(), key_actor(), enquiry=enquiry, external_id=external_id
        )
        return {"id": id_}

    return written(receive)
