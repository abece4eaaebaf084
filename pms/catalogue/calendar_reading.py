"""Reads a channel's calendar: a verdict for every event, and the nights the calendar holds."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from pms.catalogue.calendar_components import MOST_BYTES, MOST_EVENTS, Components, cut
from pms.catalogue.calendar_events import (
    Nights,
    Unusable,
    excepted_days,
    given,
    nights_of,
    occurrence_of,
    own_day_of,
    parsed,
    sequence_of,
    text_of,
    uid_of,
    unknown_zone,
    until_of,
)
from pms.catalogue.calendar_recurrence import (
    HORIZON_DAYS,
    MOST_OCCURRENCES,
    Rule,
    is_endless_beyond,
    occurrences,
    read_rule,
)
from pms.rules.days import LAST_DAY

if TYPE_CHECKING:
    from icalendar import Event

OWN_PRODUCT: Final = "-//pms//Unit calendar//EN"
OWN_UID_ENDING: Final = "@unit-calendar.pms"
MOST_REPEATING: Final = 100


@dataclass(frozen=True, slots=True)
class EventVerdict:
    """What becomes of one event, in the order of the calendar, and why."""

    uid: str | None
    code: str
    nights: tuple[Nights, ...] = ()
    is_problem: bool = False
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CalendarReading:
    """A calendar read: what it calls itself, who made it, and its events."""

    name: str | None
    product: str | None
    events: tuple[EventVerdict, ...]

    @property
    def nights(self) -> tuple[Nights, ...]:
        """All nights held, one run for each event and start."""
        runs = [run for event in self.events for run in event.nights]
        longest: dict[tuple[str, date], Nights] = {}
        for run in sorted(runs, key=lambda run: run.to_on):
            longest[run.uid, run.first_on] = run
        return tuple(sorted(longest.values(), key=lambda run: (run.first_on, run.uid)))


def read_calendar(
    data: bytes, today: date, most_bytes: int = MOST_BYTES, most_events: int = MOST_EVENTS
) -> CalendarReading:
    """Every event of a calendar; one that cannot be read is listed and costs only itself.

    A block holds its nights in Japan time (specification, Availability: channel calendar).
    """
    parts = cut(data, most_bytes, most_events)
    events = [parsed(text) for text in parts.events]
    winners, apart = _winners(events), _moved_apart(events)
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
    """The places of the events that count: of one UID the highest SEQUENCE, then the last."""
    best: dict[tuple[str | int, date | None], tuple[int, int]] = {}
    for place, event in enumerate(events):
        if event is None or (uid := uid_of(event)) is None:
            best[place, None] = (0, place)
            continue
        key = (uid, occurrence_of(event))
        best[key] = max(best.get(key, (-1, -1)), (sequence_of(event), place))
    return {place for _, place in best.values()}


def _moved_apart(events: "Sequence[Event | None]") -> dict[str | None, set[date]]:
    """The occurrences of a repetition that have an event of their own, by UID."""
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
        return _repeated(rule, uid, first, today, left_out)
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


def _repeated(
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
    """The occurrences that are not over, as many as are kept of one event."""
    length, kept = first.to_on - first.first_on, 0
    for day in occurrences(rule, first.first_on, horizon_on):
        if day in left_out or day + length <= today:
            continue
        yield replace(first, first_on=day, to_on=min(day + length, LAST_DAY))
        kept += 1
        if kept == MOST_OCCURRENCES:
            return


def _rule(event: "Event", start_on: date) -> Rule | None:
    parts = given(event, "RRULE")
    if "RDATE" in event or isinstance(event.get("RRULE"), list):
        return None
    try:
        own_on = own_day_of(event)
        return read_rule(parts, own_on, until_of(parts.get("UNTIL")), start_on - own_on)
    except (Unusable, ValueError, TypeError, AttributeError, IndexError, OverflowError):
        return None
