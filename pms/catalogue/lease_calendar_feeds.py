"""Takes the calendars whose time has come for one worker; nobody else reads them meanwhile."""

from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import CalendarFeed
from pms.foundation.clock import Clock

LEASE: Final = timedelta(minutes=10)


class LeasedFeed(NamedTuple):
    """A calendar to be read, with what its server said at the last reading."""

    workspace_id: str
    id: str
    url: str
    etag: str | None
    last_modified: str | None

    @property
    def conditions(self) -> dict[str, str]:
        """The headers by which a server need not send what did not change."""
        told = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in told.items() if value}


def lease_calendar_feeds(session: Session, clock: Clock, most: int) -> list[LeasedFeed]:
    """Take up to `most` calendars of all workspaces, those that wait longest first.

    One whose worker died is taken again after the lease.
    """
    due = (
        select(CalendarFeed)
        .where(CalendarFeed.due_at <= clock.now(), CalendarFeed.url.is_not(None))
        .order_by(CalendarFeed.due_at, CalendarFeed.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    feeds = list(session.scalars(due))
    for feed in feeds:
        feed.due_at = clock.now() + LEASE
    return [
        LeasedFeed(feed.workspace_id, feed.id, feed.url or "", feed.etag, feed.last_modified)
        for feed in feeds
    ]
