"""Answers an enquiry by mail, in the language of whoever asked."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, needed_text
from pms.enquiries.enquiry_in_hand import enquiry_in_hand
from pms.enquiries.enquiry_mail import mail_answer
from pms.enquiries.models import EnquiryNote
from pms.enquiries.move_enquiry import step_enquiry
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.sent_once import is_new
from pms.rules.deeds import Deed
from pms.rules.enumerations import EnquiryState


def answer_enquiry(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    enquiry_id: str,
    text: str | None,
    key: str | None = None,
    locale: str | None = None,
) -> None:
    """Mail the words and keep them; a new enquiry is answered by them.

    `locale` is the language of whoever asked where it is known better than from the enquiry.
    A `key` that arrived before changes nothing. Raises `Refused` without words, and without an
    address: what was said by telephone is a note.
    """
    row = enquiry_in_hand(session, enquiry_id)
    words = needed_text("text", text, LONGEST_TEXT)
    if row.email is None:
        raise Refused("text: no e-mail address is recorded, so no mail can leave.")
    if not is_new(session, clock, actor, key):
        return
    mail_id = mail_answer(session, clock, row, words, locale)
    session.add(
        EnquiryNote(
            enquiry_id=row.id, is_answer=True, text=words, mail_id=mail_id, at=clock.now(), by=actor
        )
    )
    if row.answered_at is None:
        row.answered_at = clock.now()
    # Who answered and when; the words themselves stand with the enquiry and nowhere else.
    note_deed(session, clock, actor, Deed.ENQUIRY_ANSWERED, subject_of(row))
    step_enquiry(session, clock, actor, row=row, step=EnquiryState.ANSWERED)
    session.flush()
