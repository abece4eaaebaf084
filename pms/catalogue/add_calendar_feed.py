"""Has a channel's calendar of a unit read from now on."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.calendar_wording import say
from pms.catalogue.checked_texts import LONGEST_NAME, needed_text
from pms.catalogue.editing import row_to_edit
from pms.catalogue.models import CalendarFeed, Unit
from pms.foundation.audit import note_deed
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.outside_addresses import Unreachable, check_url, target_of
from pms.rules.deeds import Deed

MOST_OF_A_UNIT: Final = 10


def add_calendar_feed(
    session: Session, clock: Clock, actor: str, *, unit_id: str, name: str | None, url: str | None
) -> str:
    """Store the calendar, due at once, and return its id.

    The address is a secret of the channel: the audit keeps its server alone.
    """
    row_to_edit(session, Unit, unit_id)
    typed_url = (url or "").strip()
    _check_url(typed_url)
    named = _name(session, unit_id, name)
    row = CalendarFeed(id=new_id(), unit_id=unit_id, name=named, url=typed_url, due_at=clock.now())
    session.add(row)
    told = {"feed": named, "server": target_of(typed_url).host}
    note_deed(session, clock, actor, Deed.CALENDAR_FEED_ADDED, ("unit", unit_id), after=told)
    session.flush()
    return row.id


def _check_url(url: str) -> None:
    try:
        check_url(url)
    except Unreachable as failure:
        reason = Bilingual(say(failure.code, "ja"), say(failure.code, "en"))
        raise Refused("url: {reason}", reason=reason) from failure


def _name(session: Session, unit_id: str, given: str | None) -> str:
    name = needed_text("name", given, LONGEST_NAME)
    names = session.scalars(select(CalendarFeed.name).where(CalendarFeed.unit_id == unit_id)).all()
    if name in names:
        raise Refused("name: the unit has a calendar '{name}' already.", name=name)
    if len(names) >= MOST_OF_A_UNIT:
        raise Refused("A unit has at most {most} calendars.", most=MOST_OF_A_UNIT)
    return name
