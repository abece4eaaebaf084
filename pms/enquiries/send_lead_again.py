"""Has an answer to a lead sent once more that could not be sent."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.enquiries.lead_in_hand import lead_in_hand
from pms.enquiries.models import LeadNote
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.outbox import send_mail_again
from pms.rules.deeds import Deed


def send_lead_again(
    session: Session, clock: Clock, actor: str, *, lead_id: str, note_id: str
) -> None:
    """Let the mail of a given-up answer wait for the worker again, to the address recorded now.

    Raises `Refused` for one that was not given up, `NotFound` for an answer of something else.
    """
    row = lead_in_hand(session, lead_id)
    asked = select(LeadNote).where(LeadNote.id == note_id, LeadNote.lead_id == row.id)
    note = session.scalar(asked) if is_id(note_id) else None
    if note is None:
        raise NotFound("There is no answer '{note_id}'.", note_id=note_id[:60])
    send_mail_again(session, clock, note.mail_id, recipient=row.email)
    note_deed(session, clock, actor, Deed.MESSAGE_SENT_AGAIN, subject_of(row))
    session.flush()
