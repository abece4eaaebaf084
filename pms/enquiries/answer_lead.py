"""Answers a lead by mail, in the language of whoever applies."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, needed_text
from pms.enquiries.lead_in_hand import lead_in_hand
from pms.enquiries.lead_mail import mail_lead
from pms.enquiries.models import LeadNote
from pms.enquiries.move_lead import step_lead
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.sent_once import is_new
from pms.rules.channel_words import LeadState
from pms.rules.deeds import Deed


def answer_lead(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    lead_id: str,
    text: str | None,
    key: str | None = None,
) -> None:
    """Mail the words and keep them; talks with a new lead have begun by them.

    A `key` that arrived before changes nothing. Raises `Refused` without words.
    """
    row = lead_in_hand(session, lead_id)
    words = needed_text("text", text, LONGEST_TEXT)
    if not is_new(session, clock, actor, key):
        return
    mail_id = mail_lead(session, clock, row, words)
    session.add(
        LeadNote(
            lead_id=row.id, is_answer=True, text=words, mail_id=mail_id, at=clock.now(), by=actor
        )
    )
    # Who answered and when; the words themselves stand with the lead and are forgotten with it.
    note_deed(session, clock, actor, Deed.LEAD_ANSWERED, subject_of(row))
    if row.state is LeadState.NEW:
        step_lead(session, clock, actor, row=row, into=LeadState.IN_TALKS)
    session.flush()
