"""Notes something about a lead for the colleagues; nothing leaves the house."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, needed_text
from pms.enquiries.lead_in_hand import lead_in_hand
from pms.enquiries.models import LeadNote
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.sent_once import is_new
from pms.rules.deeds import Deed


def note_lead(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    lead_id: str,
    text: str | None,
    key: str | None = None,
) -> None:
    """Keep the words with who and when; a `key` that arrived before changes nothing."""
    row = lead_in_hand(session, lead_id)
    words = needed_text("note", text, LONGEST_TEXT)
    if not is_new(session, clock, actor, key):
        return
    session.add(LeadNote(lead_id=row.id, is_answer=False, text=words, at=clock.now(), by=actor))
    note_deed(session, clock, actor, Deed.LEAD_NOTED, subject_of(row))
    session.flush()
