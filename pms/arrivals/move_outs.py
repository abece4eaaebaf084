"""Recording that somebody moved out, with keys and meters."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.departures.models import MoveOutRecord
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.reservations.changes import mark_changed, move_lifecycle
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import (
    Lifecycle,
    ReservationKind,
)


def move_out(
    work: Work,
    *,
    reservation_id: str,
    has_keys: bool,
    meter_reading: str | None = None,
    note: str | None = None,
    expected_version: int | None = None,
) -> Reservation:
    """Record a move-out at the door, from the last day on, and move the tenancy to moved out.

    One that moved out by itself at midnight gets the record afterwards. Raises `Refused` before the
    last day, for a tenancy that is not leaving, and for a second record.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    today = work.clock.today()
    if row.lifecycle != Lifecycle.MOVED_OUT:
        if row.lifecycle == Lifecycle.LIVING and row.kind == ReservationKind.RESIDENT:
            raise Refused("lifecycle: no notice is filed. File it first, with the move-out day.")
        if row.ends_on is not None and row.ends_on > today:
            raise Refused(
                "lifecycle: the move-out day is {day}. To move out earlier, change that day first.",
                day=row.ends_on,
            )
        move_lifecycle(row, Lifecycle.MOVED_OUT)
    if move_out_record(work.session, row.id) is not None:
        raise Refused("lifecycle: this move-out is already recorded.")
    record = MoveOutRecord(
        id=new_id(),
        reservation_id=row.id,
        left_on=min(row.ends_on or today, today),
        has_keys=has_keys,
        meter_reading=meter_reading,
        note=note,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(record)
    mark_changed(row, work.clock, work.actor)
    noted = {"has_keys": has_keys, "meter_reading": meter_reading, "note": note}
    note_change(work, AuditEvent.RESERVATION_MOVED_OUT, row, also=noted)
    work.session.flush()
    return row


def move_out_record(session: Session, reservation_id: str) -> MoveOutRecord | None:
    """Return what was recorded at the door, or None."""
    return session.scalar(
        select(MoveOutRecord).where(MoveOutRecord.reservation_id == reservation_id)
    )
