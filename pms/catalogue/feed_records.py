"""Calendars of other sites that block units: their records."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.calendar_wording import (
    WORDS,
    say,
)
from pms.catalogue.models import CalendarFeed, ExternalBlock
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.outside_reading import Unreachable, target_of
from pms.foundation.tenancy import refers_to

if TYPE_CHECKING:
    pass


class BrokenEvent(NamedTuple):
    """An event that was read only in part, or not at all."""

    uid: str | None
    code: str

    def in_language(self, language: str) -> str:
        """The reason in words."""
        return say(self.code, language)


class FeedRecord(NamedTuple):
    """A channel's calendar of a unit and its last readings."""

    id: str
    unit_id: str
    name: str
    url: str | None
    last_read_at: datetime | None
    due_at: datetime | None
    tried_at: datetime | None
    failures: int
    failure: str | None
    events: int | None
    broken: Sequence[str]
    leaves_out_window: bool
    blocks: int

    @property
    def host(self) -> str:
        """The server of its URL; `None` for a calendar imported by hand."""
        try:
            return target_of(self.url or "").host
        except Unreachable:
            return ""

    @property
    def broken_events(self) -> Sequence[BrokenEvent]:
        """The events that could not be read, in the calendar's order."""
        broken_events: list[BrokenEvent] = []
        for text in self.broken:
            code, _, uid = text.partition(" ")
            broken_events.append(BrokenEvent(uid or None, code if code in WORDS else "unreadable"))
        return tuple(broken_events)

    def is_waiting(self, now: datetime) -> bool:
        """Whether it is due for reading or is being read."""
        return self.due_at is not None and self.due_at <= now

    def why_failed(self, language: str) -> str:
        """The error of the last reading; `None` when it succeeded."""
        return failure_text(self.failure, language)


_BLOCKS = (
    select(func.count())
    .select_from(ExternalBlock)
    .where(refers_to(ExternalBlock.feed_id, CalendarFeed))
    .correlate(CalendarFeed)
    .scalar_subquery()
)
_FEEDS = select(
    CalendarFeed.id,
    CalendarFeed.unit_id,
    CalendarFeed.name,
    CalendarFeed.url,
    CalendarFeed.last_read_at,
    CalendarFeed.due_at,
    CalendarFeed.tried_at,
    CalendarFeed.failures,
    CalendarFeed.failure,
    CalendarFeed.events,
    CalendarFeed.broken,
    CalendarFeed.leaves_out_window,
    _BLOCKS,
)


def feeds_of(session: Session, unit_id: str) -> Sequence[FeedRecord]:
    """Return the calendars of a unit by name."""
    found = session.execute(
        _FEEDS.where(CalendarFeed.unit_id == unit_id).order_by(CalendarFeed.name, CalendarFeed.id)
    )
    return [FeedRecord._make(row) for row in found]


def feed_record(session: Session, feed_id: str) -> FeedRecord:
    """Return one calendar; raise `NotFound` for an id that is not of this workspace."""
    found = is_id(feed_id) and session.execute(_FEEDS.where(CalendarFeed.id == feed_id)).first()
    if not found:
        raise no_such("calendar", feed_id)
    return FeedRecord._make(found)


def write_failure(code: str, facts: dict[str, str | int]) -> str:
    """Return a failure in its stored form; its text is made for each reader."""
    return json.dumps({"code": code, **facts})


def failure_text(kept: str | None, language: str) -> str:
    """Return a stored failure in words."""
    if not kept:
        return ""
    facts = json.loads(kept)
    return say(facts.pop("code"), language, **facts)
