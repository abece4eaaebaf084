"""Calendars of units that other sites read."""

import hmac
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from pms.catalogue.checks import row_to_edit
from pms.catalogue.models import Unit, UnitCalendar
from pms.foundation.audit import note_audit_event
from pms.foundation.ids import new_id
from pms.foundation.named_links import LinkKind, NamedLink
from pms.foundation.tokens import Signer, new_token
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent


def end_unit_calendar(work: Work, *, unit_id: str) -> None:
    """Take the address away; ending one that is gone changes nothing."""
    row_to_edit(work.session, Unit, unit_id)
    row = work.session.scalar(select(UnitCalendar).where(UnitCalendar.unit_id == unit_id))
    if row is not None:
        note_audit_event(work, AuditEvent.UNIT_CALENDAR_ENDED, ("unit", unit_id))
        work.session.delete(row)
        work.session.flush()


def make_unit_calendar(work: Work, *, unit_id: str) -> None:
    """Make the address, or another one in its place."""
    row_to_edit(work.session, Unit, unit_id)
    row = work.session.scalar(select(UnitCalendar).where(UnitCalendar.unit_id == unit_id))
    told = {"replaces": row is not None}
    if row is None:
        row = UnitCalendar(id=new_id(), unit_id=unit_id)
        work.session.add(row)
    row.nonce, row.made_at, row.made_by = new_token(), work.clock.now(), work.actor
    row.last_read_at = None
    note_audit_event(work, AuditEvent.UNIT_CALENDAR_MADE, ("unit", unit_id), after=told)
    work.session.flush()


UNIT_CALENDAR: Final = LinkKind("unit-calendar", UnitCalendar.nonce)
EVERY: Final = timedelta(hours=1)


class GivenCalendar(NamedTuple):
    """The address of a unit's calendar: since when, by whom, and when it was last read."""

    id: str
    unit_id: str
    nonce: str
    made_at: datetime
    made_by: str
    last_read_at: datetime | None

    def token(self, signer: Signer) -> str:
        """The text that opens it."""
        return signer.short(UNIT_CALENDAR.purpose, self.nonce)


_CALENDARS = select(
    UnitCalendar.id,
    UnitCalendar.unit_id,
    UnitCalendar.nonce,
    UnitCalendar.made_at,
    UnitCalendar.made_by,
    UnitCalendar.last_read_at,
)


def given_calendar(session: Session, unit_id: str) -> GivenCalendar | None:
    """Return the address given out for a unit, if there is one."""
    row = session.execute(_CALENDARS.where(UnitCalendar.unit_id == unit_id)).first()
    return None if row is None else GivenCalendar._make(row)


def opened_calendar(session: Session, named: NamedLink) -> GivenCalendar | None:
    """Return what a token of the session's workspace opens, `None` when that has ended."""
    row = session.execute(_CALENDARS.where(UnitCalendar.id == named.link_id)).first()
    if row is None or not hmac.compare_digest(row.nonce.encode(), named.nonce.encode()):
        return None
    return GivenCalendar._make(row)


def note_calendar_read(session: Session, calendar_id: str, at: datetime) -> None:
    """Record, about once an hour, that somebody read the calendar."""
    is_older = or_(UnitCalendar.last_read_at.is_(None), UnitCalendar.last_read_at < at)
    session.execute(
        update(UnitCalendar)
        .where(UnitCalendar.id == calendar_id, is_older)
        .values(last_read_at=at)
        .execution_options(synchronize_session=False)
    )
