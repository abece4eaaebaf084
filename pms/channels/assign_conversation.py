"""Gives a conversation to somebody of the office."""

from sqlalchemy.orm import Session

from pms.channels.conversation_in_hand import conversation_in_hand
from pms.channels.inbox_reach import InboxReach
from pms.enquiries.office_people import known_office_person
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def assign_conversation(
    session: Session, clock: Clock, actor: str, *, conversation_id: str, person_id: str | None
) -> None:
    """Write who answers, nobody for none; raise `Refused` for one who is not of the office."""
    row = conversation_in_hand(session, conversation_id, InboxReach.everything())
    assignee = known_office_person(session, "assigneeId", person_id)
    if assignee == row.assignee_id:
        return
    row.assignee_id = assignee
    row.version += 1
    note_change(session, clock, actor, Deed.CONVERSATION_ASSIGNED, row)
    session.flush()
