"""Moves a viewing to another time or another host, and tells the visitor."""

from datetime import datetime

from sqlalchemy.orm import Session

from pms.enquiries.book_viewing import refuse_past
from pms.enquiries.office_people import known_office_person
from pms.enquiries.viewing_in_hand import (
    Slot,
    changeable_viewing,
    checked_minutes,
    count_change,
    refuse_overlap,
)
from pms.enquiries.viewing_mail import Occasion, mail_visitor
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.reservations.locks import lock_units
from pms.rules.deeds import Deed


def move_viewing(
    session: Session,
    clock: Clock,
    actor: str,
    files: Files,
    *,
    viewing_id: str,
    version: int,
    starts_at: datetime,
    minutes: int | None,
    host_id: str | None,
    may_overlap: bool = False,
) -> bool:
    """Write when and by whom; tell whether the visitor is mailed, who is only of another time.

    Raises `Collision` when it changed since it was seen, `Refused` as for a new booking.
    """
    row = changeable_viewing(session, viewing_id, version)
    lock_units(session, [row.unit_id])
    was_at, was_minutes = row.starts_at, row.duration_minutes
    if starts_at != was_at:
        refuse_past(starts_at, clock.today())
    host = known_office_person(session, "hostId", host_id) if host_id != row.host_id else host_id
    slot = Slot(row.unit_id, starts_at, checked_minutes(minutes), host)
    if not may_overlap:
        refuse_overlap(session, slot, but=row.id)
    row.starts_at, row.duration_minutes, row.host_id = starts_at, slot.minutes, host
    count_change(session, clock, actor, Deed.VIEWING_MOVED, row)
    if (starts_at, slot.minutes) == (was_at, was_minutes):
        return False
    return mail_visitor(session, clock, files, row, occasion=Occasion.CHANGED, was_at=was_at)
