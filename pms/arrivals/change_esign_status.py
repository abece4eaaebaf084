"""Takes an outside event about the signature of a contract by the allowed transitions."""

from sqlalchemy.orm import Session

from pms.arrivals.confirming import StatusChange, confirm_when_ready
from pms.foundation.audit import facts_of, note_change
from pms.foundation.clock import Clock
from pms.reservations.changing import mark_changed, reservation_to_change
from pms.rules.deeds import Deed
from pms.rules.enumerations import EsignStatus
from pms.rules.status_changes import esign_status_after


def change_esign_status(
    session: Session, clock: Clock, actor: str, *, reservation_id: str, status: EsignStatus
) -> StatusChange[EsignStatus]:
    """Change the status where the transition is allowed; confirm a booking that was waiting for it.

    A late or repeated event changes nothing, and the answer says so.
    """
    row = reservation_to_change(session, reservation_id)
    before, after = row.esign_status, esign_status_after(row.esign_status, status)
    if after == before:
        return StatusChange(before, before)
    seen = facts_of(row)
    row.esign_status = after
    is_confirmed = confirm_when_ready(session, clock, row)
    mark_changed(row, clock, actor)
    note_change(session, clock, actor, Deed.SIGNATURE_CHANGED, row, since=seen)
    session.flush()
    return StatusChange(before, after, is_confirmed)
