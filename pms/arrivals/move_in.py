"""Moves somebody in whose start has come, also one who has not paid (staff decide that)."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.reservations.changing import mark_changed, move_lifecycle, reservation_to_change
from pms.reservations.models import Reservation
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
        start = row.starts_on or "a day that cannot be read"
        raise Refused(
            f"lifecycle: the contract starts on {start} and today is {clock.today()};"
            " correct the move-in date to let somebody live there earlier."
        )
    move_lifecycle(row, Lifecycle.LIVING)
    mark_changed(row, clock, actor)
    session.flush()
    return row
