"""Gives a lead to somebody of the office."""

from sqlalchemy.orm import Session

from pms.enquiries.lead_in_hand import count_lead, lead_in_hand
from pms.enquiries.office_people import known_office_person
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def assign_lead(
    session: Session, clock: Clock, actor: str, *, lead_id: str, person_id: str | None
) -> None:
    """Write who looks after it, nobody for none; raise `Refused` for one who is not of the office."""
    row = lead_in_hand(session, lead_id)
    assignee = known_office_person(session, "assigneeId", person_id)
    if assignee == row.assignee_id:
        return
    was, now = {"assignee_id": row.assignee_id}, {"assignee_id": assignee}
    row.assignee_id = assignee
    count_lead(session, clock, actor, Deed.LEAD_ASSIGNED, row, before=was, after=now)
