"""Has an answer to an enquiry sent once more that could not be sent."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.enquiries.enquiry_in_hand import enquiry_in_hand
from pms.enquiries.models import EnquiryNote
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.foundation.outbox import send_mail_again
from pms.rules.deeds import Deed


def send_enquiry_again(
    session: Session, clock: Clock, actor: str, *, enquiry_id: str, note_id: str
) -> None:
    """Let the mail of a given-up answer wait for the worker again, to the address recorded now.

    Raises `Refused` for one that was not given up, and without an address; `NotFound` for an
    answer of something else.
    """
    row = enquiry_in_hand(session, enquiry_id)
    asked = select(EnquiryNote).where(EnquiryNote.id == note_id, EnquiryNote.enquiry_id == row.id)
    note = session.scalar(asked) if is_id(note_id) else None
    if note is None:
        raise NotFound("There is no answer '{note_id}'.", note_id=note_id[:60])
    if row.email is None:
        raise Refused("text: no e-mail address is recorded, so no mail can leave.")
    send_mail_again(session, clock, note.mail_id, recipient=row.email)
    note_deed(session, clock, actor, Deed.MESSAGE_SENT_AGAIN, subject_of(row))
    session.flush()
