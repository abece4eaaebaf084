"""Takes in what somebody asks: from a website, a listing site, by mail, by telephone, at the desk."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_LINE, checked_text
from pms.enquiries.earlier_enquiry import earlier_enquiry
from pms.enquiries.models import Enquiry
from pms.enquiries.written_enquiry import WrittenEnquiry, checked_enquiry
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.external_ids import known_once
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.rules.enumerations import EnquiryState


def receive_enquiry(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    enquiry: WrittenEnquiry,
    external_id: str | None = None,
) -> str:
    """Store the enquiry and return its id; an earlier one of the same person is linked.

    Raises `Refused` as `checked_enquiry` does, and `Collision` for an `external_id` that came
    before: nothing is stored twice.
    """
    known_as = checked_text("externalId", external_id, LONGEST_LINE)
    row = Enquiry(
        id=new_id(),
        **checked_enquiry(session, enquiry),
        state=EnquiryState.NEW,
        external_id=known_as,
        received_at=clock.now(),
        received_by=actor,
        changed_at=clock.now(),
        changed_by=actor,
        version=1,
    )
    row.duplicate_of_id = earlier_enquiry(session, row)
    with known_once(session, Enquiry.external_id, known_as):
        session.add(row)
        note_change(session, clock, actor, Deed.ENQUIRY_RECEIVED, row)
    return row.id
