"""Opens the résumé of a lead, and writes down who did."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.enquiries.models import Lead
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed


class KeptResume(NamedTuple):
    """Where a résumé is kept, and as what it is handed out."""

    key: str
    name: str
    media_type: str


def open_resume(session: Session, clock: Clock, actor: str, *, lead_id: str) -> KeptResume:
    """Return the file of the lead; raise `NotFound` when there is none."""
    row = None
    if is_id(lead_id):
        wanted = select(Lead.resume_key, Lead.resume_name, Lead.resume_type)
        row = session.execute(wanted.where(Lead.id == lead_id)).first()
    if row is None or row.resume_key is None:
        raise NotFound("There is no résumé of '{lead_id}'.", lead_id=lead_id[:60])
    note_deed(session, clock, actor, Deed.RESUME_OPENED, ("lead", lead_id))
    return KeptResume(row.resume_key, row.resume_name or "resume", row.resume_type or "")
