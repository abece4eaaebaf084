"""Takes an enquiry in hand to change it: locked, as it stands; every change is counted."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.enquiries.models import Enquiry
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, NotFound
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed


def enquiry_in_hand(session: Session, enquiry_id: str, version: int | None = None) -> Enquiry:
    """Return the enquiry, locked; raise `NotFound`, or `Collision` when it is not as it was seen."""
    found = None
    if is_id(enquiry_id):
        session.flush()
        question = select(Enquiry).where(Enquiry.id == enquiry_id).with_for_update()
        found = session.scalar(question.execution_options(populate_existing=True))
    if found is None:
        raise no_enquiry(enquiry_id)
    if version is not None and found.version != version:
        raise Collision(
            "version: this was seen as version {seen} and is now version {now}; look at it again.",
            seen=version,
            now=found.version,
        )
    return found


def count_change(session: Session, clock: Clock, actor: str, deed: Deed, row: Enquiry) -> None:
    """Count the change of an enquiry, with who and when, and note it."""
    note_change(session, clock, actor, deed, row)
    row.version += 1
    row.changed_at, row.changed_by = clock.now(), actor
    session.flush()


def no_enquiry(enquiry_id: str) -> NotFound:
    """Return the refusal of an enquiry that is not here."""
    return NotFound("There is no enquiry '{enquiry_id}'.", enquiry_id=enquiry_id[:60])
