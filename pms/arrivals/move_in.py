"""Moves somebody in whose start has come, also one who has not paid (staff decide that)."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase
from pms.reservations.changing import mark_changed, move_lifecycle, reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed
from pms.rules.enumerations import Lifecycle


def move_in(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    expected_version: int | None = None,
) -> Reservation:
    """Move a booking to living from its effective start on; raise `Refused` before that day."""
    row = reservation_to_change(session, reservation_id, expected_version)
    if row.starts_on is None or row.starts_on > clock.today():
        start = row.starts_on or Phrase("a day that cannot be read")
        raise Refused(
            "lifecycle: the contract starts on {start_on} and today is {today}; correct the"
            " move-in date to let somebody live there earlier.",
            start_on=start,
            today=clock.today(),
        )
    move_lifecycle(row, Lifecycle.LIVING)
    mark_changed(row, clock, actor)
    note_change(session, clock, actor, Deed.RESERVATION_MOVED_IN, row)
    session.flush()
    return row
