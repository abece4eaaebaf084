"""Receiving the visits that a website reports."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache, partial
from typing import Final

import msgspec
from sqlalchemy import Row, insert, update
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.db import insert_new
from pms.foundation.ids import new_id
from pms.foundation.tokens import new_token
from pms.rules.days import day_of, day_start
from pms.rules.telemetry import (
    MOST_EVENTS_A_DAY,
    KeptEvent,
    SeenEvent,
    campaign_of,
    kept_path,
    referrer_host,
    visitor_mark,
)
from pms.site.models import TelemetryOpenDay, TelemetryReport

_encode: Final = msgspec.json.Encoder().encode


def write_events(events: Sequence[KeptEvent]) -> str:
    """Return the events as they are stored: a JSON array of arrays of texts."""
    return _encode(events).decode()


def take_telemetry(session: Session, clock: Clock, *, events: Sequence[SeenEvent]) -> int:
    """Store the events of open days and return how many; a full day takes no more.

    Nothing is written to the audit, because visits change no records of the office.
    """
    now = clock.now()
    taken = 0
    # Each day's row is locked to the end: taking them in one order avoids deadlocks.
    for day, seen in sorted(_group_by_day(events, now).items()):
        taken += _take_events(session, day, seen)
    return taken


def _take_events(session: Session, day: date, seen: Sequence[SeenEvent]) -> int:
    found = _raise_count(session, day, len(seen)) or _open_day(session, day, len(seen))
    if not found:
        return 0  # closed meanwhile
    salt, events = found[0]
    room = MOST_EVENTS_A_DAY - (events - len(seen))
    kept = seen[: max(0, room)]
    if kept:
        taken = write_events(_keep_events(kept, salt))
        session.execute(insert(TelemetryReport), [{"id": new_id(), "day_on": day, "events": taken}])
    return len(kept)


def _keep_events(seen: Sequence[SeenEvent], salt: str) -> list[KeptEvent]:
    # One report repeats its visitors and referrers: each is computed once.
    mark, host = cache(partial(visitor_mark, salt)), cache(referrer_host)
    return [
        KeptEvent(
            type_, kept_path(path), name, campaign_of(path, campaign), host(referrer), mark(visitor)
        )
        for type_, path, name, _, visitor, referrer, campaign in seen
    ]


def _raise_count(session: Session, day: date, more: int) -> Sequence[Row[str, int]]:
    """Add to the count of an open day's events, which locks its row."""
    raised = (
        update(TelemetryOpenDay)
        .where(TelemetryOpenDay.day_on == day, TelemetryOpenDay.closed_at.is_(None))
        .values(events=TelemetryOpenDay.events + more)
        .returning(TelemetryOpenDay.salt, TelemetryOpenDay.events)
        .execution_options(synchronize_session=False)
    )
    return session.execute(raised).all()


def _open_day(session: Session, day: date, more: int) -> Sequence[Row[str, int]]:
    """Insert the day's row, unless another transaction has done so meanwhile."""
    insert_new(session, TelemetryOpenDay, [{"day_on": day, "salt": new_token()}])
    return _raise_count(session, day, more)


def _group_by_day(events: Sequence[SeenEvent], now: datetime) -> Mapping[date, list[SeenEvent]]:
    found: defaultdict[date, list[SeenEvent]] = defaultdict(list)
    today = day_of(now)
    # In UTC like the events: comparing instants of two zones asks each for its offset.
    began_at = day_start(today).astimezone(UTC)
    for event in events:
        at = event.occurred_at
        # An event of a clock ahead of ours is counted today.
        day = today if at is None or at >= began_at else day_of(at)
        found[day].append(event)
    return found
