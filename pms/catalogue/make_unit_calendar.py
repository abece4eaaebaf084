"""Gives a unit's calendar an address for others to read it at; an earlier one opens nothing more."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.editing import row_to_edit
from pms.catalogue.models import Unit, UnitCalendar
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.tokens import new_token
from pms.rules.deeds import Deed


def make_unit_calendar(session: Session, clock: Clock, actor: str, *, unit_id: str) -> None:
    """Make the address, or another one in its place."""
    row_to_edit(session, Unit, unit_id)
    row = session.scalar(select(UnitCalendar).where(UnitCalendar.unit_id == unit_id))
    told = {"replaces": row is not None}
    if row is None:
        row = UnitCalendar(id=new_id(), unit_id=unit_id)
        session.add(row)
    row.nonce, row.made_at, row.made_by = new_token(), clock.now(), actor
    row.last_read_at = None
    note_deed(session, clock, actor, Deed.UNIT_CALENDAR_MADE, ("unit", unit_id), after=told)
    session.flush()
