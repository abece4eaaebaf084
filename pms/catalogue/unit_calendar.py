"""Makes, ends and finds the address at which others read a unit's calendar."""

import hmac
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from pms.catalogue.models import UnitCalendar
from pms.foundation.ids import is_id
from pms.foundation.tokens import Sealer

UNIT_CALENDAR: Final = "unit-calendar"
EVERY: Final = timedelta(hours=1)
_LONGEST_TOKEN: Final = 400


class NamedCalendar(NamedTuple):
    """What the text of an address says of itself: only the row it names decides."""

    workspace_id: str
    calendar_id: str
    nonce: str


class GivenCalendar(NamedTuple):
    """The address of a unit's calendar: since when, by whom, and when it was last read."""

    id: str
    unit_id: str
    nonce: str
    made_at: datetime
    made_by: str
    last_read_at: datetime | None

    def token(self, sealer: Sealer, workspace_id: str) -> str:
        """The text that opens it."""
        return sealer.signed(UNIT_CALENDAR, workspace_id, self.id, self.nonce)


_CALENDARS = select(
    UnitCalendar.id,
    UnitCalendar.unit_id,
    UnitCalendar.nonce,
    UnitCalendar.made_at,
    UnitCalendar.made_by,
    UnitCalendar.last_read_at,
)


def named_calendar(sealer: Sealer, token: str) -> NamedCalendar | None:
    """Return what a token names, `None` for any text that was not signed as one."""
    parts = sealer.read(UNIT_CALENDAR, token) if len(token) <= _LONGEST_TOKEN else None
    if parts is None or len(parts) != 3 or not (is_id(parts[0]) and is_id(parts[1])):
        return None
    return NamedCalendar(*parts)


def given_calendar(session: Session, unit_id: str) -> GivenCalendar | None:
    """Return the address given out for a unit, if there is one."""
    row = session.execute(_CALENDARS.where(UnitCalendar.unit_id == unit_id)).first()
    return None if row is None else GivenCalendar._make(row)


def opened_calendar(session: Session, named: NamedCalendar) -> GivenCalendar | None:
    """Return what a token of the session's workspace opens, `None` when that has ended."""
    row = session.execute(_CALENDARS.where(UnitCalendar.id == named.calendar_id)).first()
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
