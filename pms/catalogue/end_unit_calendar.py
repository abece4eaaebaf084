"""Ends the address of a unit's calendar: it opens nothing from the next request on."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.editing import row_to_edit
from pms.catalogue.models import Unit, UnitCalendar
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def end_unit_calendar(session: Session, clock: Clock, actor: str, *, unit_id: str) -> None:
    """Take the address away; ending one that is gone changes nothing."""
    row_to_edit(session, Unit, unit_id)
    row = session.scalar(select(UnitCalendar).where(UnitCalendar.unit_id == unit_id))
    if row is not None:
        note_deed(session, clock, actor, Deed.UNIT_CALENDAR_ENDED, ("unit", unit_id))
        session.delete(row)
        session.flush()
