"""Stops reading a channel's calendar; the days it took are free again."""

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pms.catalogue.ask_for_reading import held_feed
from pms.catalogue.models import ExternalBlock
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def remove_calendar_feed(session: Session, clock: Clock, actor: str, *, feed_id: str) -> str:
    """Delete the calendar and its blocks, and return its unit."""
    feed = held_feed(session, feed_id)
    of_feed = ExternalBlock.feed_id == feed.id
    blocks = session.scalar(select(func.count()).select_from(ExternalBlock).where(of_feed)) or 0
    told = {"feed": feed.name, "blocks": blocks}
    note_deed(
        session, clock, actor, Deed.CALENDAR_FEED_REMOVED, ("unit", feed.unit_id), before=told
    )
    # Told to the session, not left to the database: what listings show has changed.
    session.execute(delete(ExternalBlock).where(of_feed))
    session.delete(feed)
    session.flush()
    return feed.unit_id
