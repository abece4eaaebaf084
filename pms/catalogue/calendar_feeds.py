"""Reads what is known of the calendars of a unit: when each was read, and how that went."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.calendar_reading import EventVerdict
from pms.catalogue.calendar_wording import WORDS, say
from pms.catalogue.models import CalendarFeed, ExternalBlock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.outside_addresses import Unreachable, target_of

MOST_BROKEN: Final = 30
_LONGEST_UID: Final = 80


class BrokenEvent(NamedTuple):
    """An event that holds less than it says, or nothing."""

    uid: str | None
    code: str

    def said(self, language: str) -> str:
        """Why, in words."""
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
    blocks: int

    @property
    def host(self) -> str:
        """The server it comes from; a calendar imported by hand has none."""
        try:
            return target_of(self.url or "").host
        except Unreachable:
            return ""

    @property
    def broken_events(self) -> Sequence[BrokenEvent]:
        """The events that could not be read, in the calendar's order."""
        return tuple(_broken(text) for text in self.broken)

    def is_waiting(self, now: datetime) -> bool:
        """Whether a worker is about to read it, or reads it."""
        return self.due_at is not None and self.due_at <= now

    def why_failed(self, language: str) -> str:
        """What went wrong at the last reading; nothing when it went well."""
        return failure_said(self.failure, language)


_BLOCKS = (
    select(func.count())
    .select_from(ExternalBlock)
    .where(
        ExternalBlock.workspace_id == CalendarFeed.workspace_id,
        ExternalBlock.feed_id == CalendarFeed.id,
    )
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
    _BLOCKS,
)


def feeds_of(session: Session, unit_id: str) -> Sequence[FeedRecord]:
    """Return the calendars of a unit by their names."""
    found = session.execute(
        _FEEDS.where(CalendarFeed.unit_id == unit_id).order_by(CalendarFeed.name, CalendarFeed.id)
    )
    return [FeedRecord._make(row) for row in found]


def feed_record(session: Session, feed_id: str) -> FeedRecord:
    """Return one calendar; raise `NotFound` for an id that is not of this workspace."""
    found = is_id(feed_id) and session.execute(_FEEDS.where(CalendarFeed.id == feed_id)).first()
    if not found:
        raise NotFound("There is no calendar '{id}'.", id=feed_id[:60])
    return FeedRecord._make(found)


def failure_kept(code: str, facts: dict[str, str | int]) -> str:
    """Return a failure as it is stored; it is worded for whoever reads it."""
    return json.dumps({"code": code, **facts})


def failure_said(kept: str | None, language: str) -> str:
    """Return a stored failure in words."""
    if not kept:
        return ""
    facts = json.loads(kept)
    return say(facts.pop("code"), language, **facts)


def broken_kept(events: Sequence[EventVerdict]) -> list[str]:
    """Return the first of the events that could not be read as they are stored."""
    problems = [event for event in events if event.is_problem][:MOST_BROKEN]
    return [f"{event.code} {(event.uid or '')[:_LONGEST_UID]}" for event in problems]


def _broken(text: str) -> BrokenEvent:
    code, _, uid = text.partition(" ")
    return BrokenEvent(uid or None, code if code in WORDS else "unreadable")
