"""Takes a lead in hand to change it: locked, as it stands; the audit learns nothing of the person."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.enquiries.models import Lead
from pms.foundation.audit import Facts, note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed


def lead_in_hand(session: Session, lead_id: str) -> Lead:
    """Return the lead, locked; raise `NotFound` for an id of nobody here."""
    found = None
    if is_id(lead_id):
        session.flush()
        question = select(Lead).where(Lead.id == lead_id).with_for_update()
        found = session.scalar(question.execution_options(populate_existing=True))
    if found is None:
        raise no_lead(lead_id)
    return found


def count_lead(
    session: Session,
    clock: Clock,
    actor: str,
    deed: Deed,
    row: Lead,
    *,
    before: Facts,
    after: Facts,
) -> None:
    """Count a change of a lead, with who and when, and note what of it is not personal."""
    note_deed(session, clock, actor, deed, subject_of(row), before=before, after=after)
    row.version += 1
    row.changed_at, row.changed_by = clock.now(), actor
    session.flush()


def no_lead(lead_id: str) -> NotFound:
    """Return the refusal of a lead that is not here."""
    return NotFound("There is no lead '{lead_id}'.", lead_id=lead_id[:60])
