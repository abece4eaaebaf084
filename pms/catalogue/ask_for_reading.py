"""Has a channel's calendar read as soon as a worker comes to it."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import CalendarFeed
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id


def ask_for_reading(session: Session, clock: Clock, *, feed_id: str) -> str:
    """Make the calendar due now and return its unit."""
    feed = held_feed(session, feed_id)
    if feed.url is None:
        raise Refused("This calendar was imported from a file; it has no address to read.")
    feed.due_at = clock.now()
    return feed.unit_id


def held_feed(session: Session, feed_id: str) -> CalendarFeed:
    """Return a calendar, locked; raise `NotFound` for an id that is not of this workspace."""
    row = None
    if is_id(feed_id):
        found = select(CalendarFeed).where(CalendarFeed.id == feed_id).with_for_update()
        row = session.scalar(found)
    if row is None:
        raise NotFound("There is no calendar '{id}'.", id=feed_id[:60])
    return row
