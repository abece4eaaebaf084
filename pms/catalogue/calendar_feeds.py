"""Reads the calendar of another site, and lists its events that cannot be read."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from pms.catalogue.calendar_files import (
    HORIZON_DAYS,
    MOST_OCCURRENCES,
    Expander,
    Nights,
    Unusable,
    changes_all_later,
    excepted_days,
    is_repeating,
    nights_of,
    nights_of_start,
    occurrence_of,
    parse_event,
    repeated_nights,
    sequence_of,
    stamp_of,
    stated_uid,
    text_of,
    uid_of,
    unknown_zone,
)
from pms.catalogue.calendar_wording import (
    MOST_BYTES,
    MOST_EVENTS,
    Components,
    cut,
    is_window,
)

if TYPE_CHECKING:
    from icalendar import Event


OWN_PRODUCT: Final = "-//pms//Unit calendar//EN"
OWN_UID_ENDING: Final = "@unit-calendar.pms"
MOST_REPEATING: Final = 100


@dataclass(frozen=True, slots=True)
class EventVerdict:
    """The result for one event, in the order of the calendar, and the reason.

    Of one that is not read in full (`is_problem`), nights that were held before stay held.
    """

    uid: str | None
    code: str
    nights: tuple[Nights, ...] = ()
    is_problem: bool = False
    is_window: bool = False
    """Whether the channel only says that it does not sell these days."""
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

    def keeps(self, uid: str | None) -> bool:
        """Whether nights held before under a UID stay: an event that was not read may be theirs."""
        return any(event.is_problem and event.uid in (uid, None) for event in self.events)

    def without_window(self) -> "CalendarReading":
        """Return it with nothing held by the days that the channel itself does not sell."""
        left = (
            EventVerdict(event.uid, "window") if event.is_window else event for event in self.events
        )
        return replace(self, events=tuple(left))


def read_calendar(
    data: bytes,
    today: date,
    most_bytes: int = MOST_BYTES,
    most_events: int = MOST_EVENTS,
) -> CalendarReading:
    """Return every event of a calendar; an unreadable one is listed and does not affect others.

    A block has its nights in Japan time (specification, Availability: channel calendar). Reading
    takes time: not while a transaction is open to write.
    """
    parts = cut(data, most_bytes, most_events)
    events = [parse_event(text) for text in parts.events]
    superseded = _find_superseded(events)
    apart: dict[str | None, set[date]] = defaultdict(set)
    for occurrence_event in events:
        if occurrence_event is not None and (day := occurrence_of(occurrence_event)) is not None:
            apart[uid_of(occurrence_event)].add(day)
    repeating = [
        place for place, event in enumerate(events) if event is not None and is_repeating(event)
    ]
    too_many = set(repeating[MOST_REPEATING:])
    expander = Expander(today + timedelta(days=HORIZON_DAYS))
    verdicts: list[EventVerdict] = []
    for place, event in enumerate(events):
        if event is None:
            uid = stated_uid(parts.events[place])
            verdicts.append(EventVerdict(uid, "unreadable", is_problem=True))
            continue
        uid = uid_of(event)
        code = "superseded" if place in superseded else _holds_nothing(event, uid, parts)
        if code is not None:
            verdicts.append(EventVerdict(uid, code))
            continue
        is_read = place not in too_many
        left_out = apart.get(uid, set()) | excepted_days(event)
        verdict = _judge_event(event, uid, today, left_out, expander if is_read else None)
        verdicts.append(replace(verdict, is_window=is_window(text_of(event, "SUMMARY"))))
    return CalendarReading(parts.name, parts.product, tuple(verdicts))


def _find_superseded(events: "Sequence[Event | None]") -> set[int]:
    """The positions of the events that another one of the same UID and occurrence supersedes.

    It has the higher SEQUENCE; or, with an equal one, it was written later and begins or ends on
    the same day. Without either, events that share a UID are separate stays. An event that cannot
    be read supersedes nothing.
    """
    groups: dict[tuple[str, date | None], list[_Version]] = defaultdict(list)
    for place, event in enumerate(events):
        if event is None or (uid := uid_of(event)) is None:
            continue
        try:
            version = _Version(place, sequence_of(event), stamp_of(event), nights_of(event))
            groups[uid, occurrence_of(event)].append(version)
        except Unusable:
            continue
    return {place for group in groups.values() for place in _superseded_of(group)}


class _Version(NamedTuple):
    """One event of several with the same UID and occurrence."""

    place: int
    sequence: int
    stamp: datetime | None
    nights: Nights


def _superseded_of(group: Sequence[_Version]) -> Iterator[int]:
    newest = max(version.sequence for version in group)
    latest: dict[tuple[str, date], datetime] = {}
    for version in group:
        if version.sequence == newest and version.stamp is not None:
            for day in _ends_of(version):
                latest[day] = max(latest.get(day, version.stamp), version.stamp)
    for version in group:
        is_older = version.stamp is not None and any(
            day in latest and latest[day] > version.stamp for day in _ends_of(version)
        )
        if version.sequence < newest or is_older:
            yield version.place


def _ends_of(version: _Version) -> tuple[tuple[str, date], ...]:
    return ("first", version.nights.first_on), ("to", version.nights.to_on)


def _holds_nothing(event: "Event", uid: str | None, parts: Components) -> str | None:
    if (text_of(event, "STATUS") or "").upper() == "CANCELLED":
        return "cancelled"
    is_own = parts.product == OWN_PRODUCT or (uid or "").endswith(OWN_UID_ENDING)
    return "own" if is_own else None


def _judge_event(
    event: "Event", uid: str | None, today: date, left_out: set[date], expander: Expander | None
) -> EventVerdict:
    try:
        first = nights_of(event)
    except Unusable as reason:
        code = str(reason)
        nights = nights_of_start(event) if code == "unreadable_end" else ()
        return EventVerdict(uid, code, nights, is_problem=True)
    if is_repeating(event):
        return _judge_repeated(event, first, today, left_out, expander)
    if changes_all_later(event):
        return EventVerdict(uid, "all_later", (first,), is_problem=True)
    zone = unknown_zone(event)
    if zone is None:
        return EventVerdict(uid, "block", (first,))
    return EventVerdict(uid, "unknown_zone", (first,), facts=(("zone", zone),))


def _judge_repeated(
    event: "Event", first: Nights, today: date, left_out: set[date], expander: Expander | None
) -> EventVerdict:
    uid = uid_of(event)
    try:
        if expander is None:
            raise Unusable("first_only")
        runs, goes_on = repeated_nights(event, first, expander)
    except Unusable:
        return EventVerdict(uid, "first_only", (first,), is_problem=True)
    ahead = tuple(run for run in runs if run.first_on not in left_out and run.to_on > today)
    kept = ahead[:MOST_OCCURRENCES]
    if len(ahead) == len(kept) and not goes_on:
        return EventVerdict(uid, "block", kept)
    until_on = expander.horizon_on if len(ahead) == len(kept) else kept[-1].last_on
    return EventVerdict(uid, "bounded", kept, facts=(("until", until_on.isoformat()),))


MOST_BROKEN: Final = 30
_LONGEST_UID: Final = 80


def list_broken_events(events: Sequence[EventVerdict]) -> list[str]:
    """Return the first of the unreadable events in their stored form."""
    problems = [event for event in events if event.is_problem][:MOST_BROKEN]
    return [f"{event.code} {(event.uid or '')[:_LONGEST_UID]}" for event in problems]
