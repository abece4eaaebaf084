"""Takes what a reading of a channel's calendar brought: its days, that nothing changed, or a failure."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.calendar_feeds import broken_kept, failure_kept
from pms.catalogue.calendar_wording import CalendarRefused
from pms.catalogue.import_calendar import import_calendar
from pms.catalogue.models import CalendarFeed
from pms.foundation.clock import Clock
from pms.foundation.outside_reading import OutsidePage

EVERY: Final = timedelta(minutes=30)
LONGEST_WAIT: Final = timedelta(hours=24)
_LONGEST_TAG: Final = 200
_MOST_DOUBLINGS: Final = 6


def take_calendar(
    session: Session, clock: Clock, actor: str, *, feed_id: str, page: OutsidePage
) -> None:
    """Write what came; a calendar that cannot be read changes no day and counts as a failure."""
    feed = _feed(session, feed_id)
    if feed is None:  # taken away while it was read
        return
    goes_on = False
    if page.content is not None:
        try:
            goes_on = _import(session, clock, actor, feed, page.content)
        except CalendarRefused as refusal:
            _fail(feed, clock.now(), failure_kept(refusal.code, refusal.facts))
            return
    # What repeats beyond the horizon is read whole each time: its days move on with time.
    tags = (None, None) if goes_on else (page.etag, page.last_modified)
    feed.etag, feed.last_modified = map(_kept_tag, tags)
    feed.tried_at = feed.last_read_at = clock.now()
    feed.failures, feed.failure = 0, None
    feed.due_at = clock.now() + EVERY


def note_calendar_failure(
    session: Session, clock: Clock, *, feed_id: str, code: str, facts: dict[str, str | int]
) -> None:
    """Record that a calendar could not be had; what is stored of it stays as it was."""
    feed = _feed(session, feed_id)
    if feed is not None:
        _fail(feed, clock.now(), failure_kept(code, facts))


def wait_after(failures: int) -> timedelta:
    """Return how long a calendar that failed so often in a row is left alone."""
    doublings: int = 2 ** min(failures, _MOST_DOUBLINGS)
    return min(EVERY * doublings, LONGEST_WAIT)


def _import(session: Session, clock: Clock, actor: str, feed: CalendarFeed, data: bytes) -> bool:
    """Write the days; tell whether the calendar goes on after those that are kept."""
    report = import_calendar(
        session, clock, actor, data, unit_id=feed.unit_id, commit=True, feed_name=feed.name
    )
    feed.events = len(report.events)
    feed.broken = broken_kept(report.events)
    return any(event.code == "bounded" for event in report.events)


def _fail(feed: CalendarFeed, now: datetime, failure: str) -> None:
    feed.failures += 1
    feed.failure = failure
    feed.tried_at = now
    # Whatever it was, the next answer is read whole.
    feed.etag = feed.last_modified = None
    feed.due_at = now + wait_after(feed.failures)


def _feed(session: Session, feed_id: str) -> CalendarFeed | None:
    found = select(CalendarFeed).where(CalendarFeed.id == feed_id).with_for_update()
    return session.scalar(found)


def _kept_tag(tag: str | None) -> str | None:
    """A tag that cannot be sent back as it came is none."""
    usable = tag and len(tag) <= _LONGEST_TAG and tag.isascii() and tag.isprintable()
    return tag if usable else None
