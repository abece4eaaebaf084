"""Gives an enquiry to somebody of the office."""

from sqlalchemy.orm import Session

from pms.enquiries.enquiry_in_hand import count_change, enquiry_in_hand
from pms.enquiries.office_people import known_office_person
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def assign_enquiry(
    session: Session, clock: Clock, actor: str, *, enquiry_id: str, person_id: str | None
) -> None:
    """Write who looks after it, nobody for none; raise `Refused` for one who is not of the office."""
    row = enquiry_in_hand(session, enquiry_id)
    assignee = known_office_person(session, "assigneeId", person_id)
    if assignee == row.assignee_id:
        return
    row.assignee_id = assignee
    count_change(session, clock, actor, Deed.ENQUIRY_ASSIGNED, row)
