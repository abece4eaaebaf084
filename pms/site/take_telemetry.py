"""Takes in what a website saw: hashed, cut to what is counted, and within the bound of a day."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache, partial
from typing import Final

from sqlalchemy import bindparam, update

from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.insert_new import insert_new
from pms.foundation.prepared_writes import PreparedChange, PreparedInsert
from pms.foundation.prepared_writing import Writing, session_of
from pms.foundation.tokens import new_token
from pms.rules.days import day_of, day_start
from pms.rules.telemetry import (
    MOST_EVENTS_A_DAY,
    SeenEvent,
    campaign_of,
    kept_path,
    referrer_host,
    visitor_mark,
)
from pms.rules.visit_counts import KeptEvent
from pms.site.kept_events import write_events
from pms.site.models import TelemetryOpenDay, TelemetryReport

_KEEP: Final = PreparedInsert(TelemetryReport, "day_on", "told")
_RAISE: Final = PreparedChange(
    TelemetryOpenDay,
    update(TelemetryOpenDay)
    .where(TelemetryOpenDay.day_on == bindparam("day"), TelemetryOpenDay.closed_at.is_(None))
    .values(events=TelemetryOpenDay.events + bindparam("more"))
    .returning(TelemetryOpenDay.salt, TelemetryOpenDay.events),
)


def take_telemetry(session: Writing, clock: Clock, *, events: Sequence[SeenEvent]) -> int:
    """Store the events of some open days and return how many were: a full day takes none more.

    The first event of a day needs a session, which opens the day.

    Nothing is noted in the audit: a visit to a website changes nothing that anybody answers for.
    """
    now = clock.now()
    taken = 0
    # Each day's row is held to the end: reports that take them in one order never wait in a ring.
    for day, seen in sorted(_by_day(events, now).items()):
        taken += _take(session, day, seen)
    return taken


def _take(session: Writing, day: date, seen: Sequence[SeenEvent]) -> int:
    found = _RAISE.run(session, day=day, more=len(seen)) or _opened(session, day, len(seen))
    if not found:
        return 0  # closed while this was on its way
    salt, events = found[0]
    room = MOST_EVENTS_A_DAY - (events - len(seen))
    kept = seen[: max(0, room)]
    if kept:
        told = write_events(_kept(kept, salt))
        _KEEP.run(session, id=new_id(), day_on=day, told=told)
    return len(kept)


def _kept(seen: Sequence[SeenEvent], salt: str) -> list[KeptEvent]:
    # One report repeats its visitors and where they came from: each is worked out once.
    mark, host = cache(partial(visitor_mark, salt)), cache(referrer_host)
    return [
        KeptEvent(
            type_, kept_path(path), name, campaign_of(path, campaign), host(referrer), mark(visitor)
        )
        for type_, path, name, _, visitor, referrer, campaign in seen
    ]


def _opened(session: Writing, day: date, more: int) -> list[tuple[str, int]]:
    """Begin a day, unless somebody else has meanwhile."""
    insert_new(session_of(session), TelemetryOpenDay, [{"day_on": day, "salt": new_token()}])
    return _RAISE.run(session, day=day, more=more)


def _by_day(events: Sequence[SeenEvent], now: datetime) -> Mapping[date, list[SeenEvent]]:
    found: defaultdict[date, list[SeenEvent]] = defaultdict(list)
    today = day_of(now)
    # In UTC as they are: instants of two zones are compared by asking each for its offset.
    began_at = day_start(today).astimezone(UTC)
    for event in events:
        at = event.occurred_at
        # What a clock ahead of ours tells of is today's.
        day = today if at is None or at >= began_at else day_of(at)
        found[day].append(event)
    return found
