"""Calendars of other sites that block units: their records, and reading them."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.calendar_files import (
    HORIZON_DAYS,
    MOST_OCCURRENCES,
    Nights,
    Rule,
    Unusable,
    excepted_days,
    is_endless_beyond,
    nights_of,
    occurrence_of,
    occurrences,
    own_day_of,
    parse_event,
    property_value,
    read_rule,
    sequence_of,
    text_of,
    uid_of,
    unknown_zone,
    until_of,
)
from pms.catalogue.calendar_wording import MOST_BYTES, MOST_EVENTS, WORDS, Components, cut, say
from pms.catalogue.models import CalendarFeed, ExternalBlock
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.outside_reading import Unreachable, target_of
from pms.foundation.tenancy import refers_to
from pms.rules.days import LAST_DAY

if TYPE_CHECKING:
    from icalendar import Event


OWN_PRODUCT: Final = "-//pms//Unit calendar//EN"
OWN_UID_ENDING: Final = "@unit-calendar.pms"
MOST_REPEATING: Final = 100


@dataclass(frozen=True, slots=True)
class EventVerdict:
    """The result for one event, in the order of the calendar, and the reason."""

    uid: str | None
    code: str
    nights: tuple[Nights, ...] = ()
    is_problem: bool = False
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CalendarReading:
    """A parsed calendar: its name, its producer, and its events."""

    name: str | None
    product: str | None
    events: tuple[EventVerdict, ...]

    @property
    def nights(self) -> tuple[Nights, ...]:
        """The nights of all events, one run for each event and start."""
        runs = [run for event in self.events for run in event.nights]
        longest: dict[tuple[str, date], Nights] = {}
        for run in sorted(runs, key=lambda run: run.to_on):
            longest[run.uid, run.first_on] = run
        return tuple(sorted(longest.values(), key=lambda run: (run.first_on, run.uid)))


def read_calendar(
    data: bytes, today: date, most_bytes: int = MOST_BYTES, most_events: int = MOST_EVENTS
) -> CalendarReading:
    """Return every event of a calendar; an unreadable one is listed and does not affect others.

    A block has its nights in Japan time (specification, Availability: channel calendar).
    """
    parts = cut(data, most_bytes, most_events)
    events = [parse_event(text) for text in parts.events]
    winners, apart = _winners(events), _find_replaced_occurrences(events)
    repeating = [place for place, event in enumerate(events) if _is_repeating(event)]
    too_many = set(repeating[MOST_REPEATING:])
    verdicts = (
        EventVerdict(None if event is None else uid_of(event), "superseded")
        if place not in winners
        else _verdict(event, parts, today, apart, is_read=place not in too_many)
        for place, event in enumerate(events)
    )
    return CalendarReading(parts.name, parts.product, tuple(verdicts))


def _is_repeating(event: "Event | None") -> bool:
    return event is not None and ("RRULE" in event or "RDATE" in event)


def _winners(events: "Sequence[Event | None]") -> set[int]:
    """The positions of the events that apply: per UID the highest SEQUENCE, then the last."""
    best: dict[tuple[str | int, date | None], tuple[int, int]] = {}
    for place, event in enumerate(events):
        if event is None or (uid := uid_of(event)) is None:
            best[place, None] = (0, place)
            continue
        key = (uid, occurrence_of(event))
        best[key] = max(best.get(key, (-1, -1)), (sequence_of(event), place))
    return {place for _, place in best.values()}


def _find_replaced_occurrences(events: "Sequence[Event | None]") -> dict[str | None, set[date]]:
    """The occurrences of a repetition that an event of their own replaces, by UID."""
    apart: dict[str | None, set[date]] = defaultdict(set)
    for event in events:
        if event is not None and (day := occurrence_of(event)) is not None:
            apart[uid_of(event)].add(day)
    return apart


def _verdict(
    event: "Event | None",
    parts: Components,
    today: date,
    apart: dict[str | None, set[date]],
    *,
    is_read: bool,
) -> EventVerdict:
    if event is None:
        return EventVerdict(None, "unreadable", is_problem=True)
    uid = uid_of(event)
    code = _holds_nothing(event, uid, parts)
    if code is not None:
        return EventVerdict(uid, code)
    try:
        first = nights_of(event)
    except Unusable as reason:
        return EventVerdict(uid, str(reason), is_problem=True)
    if _is_repeating(event):
        left_out = apart.get(uid, set()) | excepted_days(event)
        rule = _rule(event, first.first_on) if is_read else None
        return _judge_repeated(rule, uid, first, today, left_out)
    return _single(event, uid, first)


def _holds_nothing(event: "Event", uid: str | None, parts: Components) -> str | None:
    if (text_of(event, "STATUS") or "").upper() == "CANCELLED":
        return "cancelled"
    is_own = parts.product == OWN_PRODUCT or (uid or "").endswith(OWN_UID_ENDING)
    return "own" if is_own else None


def _single(event: "Event", uid: str | None, first: Nights) -> EventVerdict:
    zone = unknown_zone(event)
    if zone is None:
        return EventVerdict(uid, "block", (first,))
    return EventVerdict(uid, "unknown_zone", (first,), facts=(("zone", zone),))


def _judge_repeated(
    rule: Rule | None, uid: str | None, first: Nights, today: date, left_out: set[date]
) -> EventVerdict:
    if rule is None:
        return EventVerdict(uid, "first_only", (first,), is_problem=True)
    horizon_on = today + timedelta(days=HORIZON_DAYS)
    runs = tuple(_runs(rule, first, today, horizon_on, left_out))
    reaches_horizon = len(runs) < MOST_OCCURRENCES
    if reaches_horizon and not is_endless_beyond(rule, first.first_on, horizon_on):
        return EventVerdict(uid, "block", runs)
    until_on = horizon_on if reaches_horizon else runs[-1].last_on
    return EventVerdict(uid, "bounded", runs, facts=(("until", until_on.isoformat()),))


def _runs(
    rule: Rule, first: Nights, today: date, horizon_on: date, left_out: set[date]
) -> Iterator[Nights]:
    """The occurrences that are not over, up to the limit per event."""
    length, kept = first.to_on - first.first_on, 0
    for day in occurrences(rule, first.first_on, horizon_on):
        if day in left_out or day + length <= today:
            continue
        yield replace(first, first_on=day, to_on=min(day + length, LAST_DAY))
        kept += 1
        if kept == MOST_OCCURRENCES:
            return


def _rule(event: "Event", start_on: date) -> Rule | None:
    parts = property_value(event, "RRULE")
    if "RDATE" in event or isinstance(event.get("RRULE"), list):
        return None
    try:
        own_on = own_day_of(event)
        return read_rule(parts, own_on, until_of(parts.get("UNTIL")), start_on - own_on)
    except (Unusable, ValueError, TypeError, AttributeError, IndexError, OverflowError):
        return None


MOST_BROKEN: Final = 30
_LONGEST_UID: Final = 80


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
        return tuple(_parse_broken_event(text) for text in self.broken)

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


def list_broken_events(events: Sequence[EventVerdict]) -> list[str]:
    """Return the first of the unreadable events in their stored form."""
    problems = [event for event in events if event.is_problem][:MOST_BROKEN]
    return [f"{event.code} {(event.uid or '')[:_LONGEST_UID]}" for event in problems]


def _parse_broken_event(text: str) -> BrokenEvent:
    code, _, uid = text.partition(" ")
    return BrokenEvent(uid or None, code if code in WORDS else "unreadable")
