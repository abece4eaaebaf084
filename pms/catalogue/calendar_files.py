"""Parses iCalendar files: components, recurrence and events."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Final

from pms.rules.days import FIRST_DAY, JAPAN, LAST_DAY, ONE_DAY, add_months

if TYPE_CHECKING:
    from icalendar import Event


_LONGEST_TEXT: Final = 200
_SPACES: Final = re.compile(r"\s+")
_BOOKING: Final = re.compile(r"/reservations/details/([A-Z0-9]{6,20})(?![A-Z0-9])")


class Unusable(Exception):
    """An event without nights because it cannot be read; the code says why."""


@dataclass(frozen=True, slots=True)
class Nights:
    """The nights of an event, from the first up to, not including, `to_on`."""

    uid: str
    first_on: date
    to_on: date
    summary: str | None
    booking_reference: str | None = None

    @property
    def last_on(self) -> date:
        """The last day taken: the day of its last night."""
        return self.to_on - ONE_DAY


def parse_event(text: str) -> "Event | None":
    """Return the event, with its broken properties set aside, or `None`."""
    # Imported here: a worker that reads no calendar never loads the library.
    from icalendar import Event

    # An error of the library on a malformed event must not affect the others.
    try:
        event = Event.from_ical(text)
    except Exception:
        return None
    return event if isinstance(event, Event) else None


def property_value(event: "Event", name: str) -> Any:
    """Return a property's value, the first one where it is repeated; `None` without it."""
    value = event.get(name)
    return value[0] if isinstance(value, list) and value else value


def text_of(event: "Event", name: str) -> str | None:
    """Return a property as one line of text."""
    value = property_value(event, name)
    if value is None:
        return None
    return _SPACES.sub(" ", str(value)).strip()[:_LONGEST_TEXT] or None


def booking_of(event: "Event") -> str | None:
    """Return the channel's booking code, where the event links to the booking's page."""
    found = _BOOKING.search(str(property_value(event, "DESCRIPTION") or ""))
    return found.group(1) if found else None


def uid_of(event: "Event") -> str | None:
    """Return what identifies the event in its feed; a digest of an overlong one."""
    plain = str(property_value(event, "UID") or "").strip()
    if len(plain) > _LONGEST_TEXT:
        return f"long-{sha256(plain.encode()).hexdigest()}"
    return plain or None


def sequence_of(event: "Event") -> int:
    """Return the event's SEQUENCE; 0 without one."""
    try:
        return max(0, int(property_value(event, "SEQUENCE") or 0))
    except (ValueError, TypeError):
        return 0


def occurrence_of(event: "Event") -> date | None:
    """Return the occurrence of a repetition that this event replaces."""
    try:
        when = _when(event, "RECURRENCE-ID", "unreadable")
        return None if when is None else japan_day(when)
    except Unusable:
        return None


def nights_of(event: "Event") -> Nights:
    """Return the nights of the event, or of its first occurrence (specification, Availability)."""
    start = _when(event, "DTSTART", "unreadable_start")
    if start is None:
        raise Unusable("no_start")
    end = _when(event, "DTEND", "unreadable_end") or _after_duration(event, start)
    first_on = japan_day(start)
    to_on = first_on + ONE_DAY if end is None else japan_day(end)
    if to_on < first_on or _is_backwards(start, end):
        raise Unusable("backwards")
    # An event of less than a day takes the night on which it starts.
    to_on = max(to_on, first_on + ONE_DAY)
    if not FIRST_DAY <= first_on < to_on <= LAST_DAY:
        raise Unusable("out_of_range")
    summary = text_of(event, "SUMMARY")
    uid = uid_of(event) or _uid_by_days(first_on, to_on, summary)
    return Nights(uid, first_on, to_on, summary, booking_of(event))


def own_day_of(event: "Event") -> date:
    """Return the start day in the event's own time zone, in which its repetition is stated."""
    start = _when(event, "DTSTART", "unreadable_start")
    if start is None:
        raise Unusable("no_start")
    return start.date() if isinstance(start, datetime) else start


def _uid_by_days(first_on: date, to_on: date, summary: str | None) -> str:
    """Return an id from days and summary, for an event without a UID."""
    return f"no-uid-{sha256(f'{first_on}/{to_on}/{summary}'.encode()).hexdigest()}"


def excepted_days(event: "Event") -> set[date]:
    """Return the days a repetition leaves out; unreadable ones are ignored."""
    exceptions = event.get("EXDATE") or []
    days: set[date] = set()
    for dates in exceptions if isinstance(exceptions, list) else [exceptions]:
        try:
            days.update(japan_day(exception.dt) for exception in dates.dts)
        except (Unusable, ValueError, AttributeError, TypeError):
            continue
    return days


def unknown_zone(event: "Event") -> str | None:
    """Return the name of an unknown time zone; its times are read as Japan time."""
    start = property_value(event, "DTSTART")
    zone = start.params.get("TZID")
    is_floating = isinstance(start.dt, datetime) and start.dt.tzinfo is None
    return str(zone)[:_LONGEST_TEXT] if zone and is_floating else None


def japan_day(when: date | datetime) -> date:
    """Return the day in Japan; a time without a zone is Japan time."""
    return _in_japan(when).date() if isinstance(when, datetime) else when


def until_of(values: Sequence[Any] | None) -> date | None:
    """Return the last day of a repetition."""
    return japan_day(values[0]) if values else None


def _when(event: "Event", name: str, code: str) -> date | datetime | None:
    value = property_value(event, name)
    if value is None:
        return None
    try:
        when = value.dt
    except (ValueError, AttributeError):
        raise Unusable(code) from None
    if not isinstance(when, date):
        raise Unusable(code)
    return when


def _after_duration(event: "Event", start: date | datetime) -> date | datetime | None:
    value = property_value(event, "DURATION")
    if value is None:
        return None
    try:
        length = value.dt
        if isinstance(length, timedelta):
            return start + length
    except (ValueError, AttributeError, OverflowError):
        pass
    raise Unusable("unreadable_end")


def _is_backwards(start: date | datetime, end: date | datetime | None) -> bool:
    if isinstance(end, datetime) and isinstance(start, datetime):
        return _in_japan(end) < _in_japan(start)
    return False


def _in_japan(when: datetime) -> datetime:
    try:
        return when.replace(tzinfo=JAPAN) if when.tzinfo is None else when.astimezone(JAPAN)
    except (OverflowError, ValueError):
        raise Unusable("out_of_range") from None


# Every rule is expanded day by day or month by month up to this horizon, so that no rule, however
# endless or contradictory, costs more than the days in between.
HORIZON_DAYS: Final = 550
MOST_OCCURRENCES: Final = 400
EARLIEST_START: Final = date(2000, 1, 1)

_WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEK: Final = 7
_MOST_DAYS: Final = 100_000
_KNOWN: Final = frozenset({"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "WKST"})
_SAID_BY_START: Final = {"MONTHLY": {"BYMONTHDAY"}, "YEARLY": {"BYMONTHDAY", "BYMONTH"}}


@dataclass(frozen=True, slots=True)
class Rule:
    """A repetition this program supports, in the days of its event's own time zone.

    `shift` converts a day of that zone to the one in Japan.
    """

    every: str
    interval: int
    weekdays: frozenset[int]
    week_starts_on: int
    count: int | None
    until_on: date | None
    shift: timedelta


def read_rule(
    parts: Mapping[str, Any], start_on: date, until_on: date | None, shift: timedelta
) -> Rule | None:
    """Return the rule, or `None` for one that this program does not support.

    `start_on` is the day in the event's own zone, `until_on` one in Japan.
    """
    every = str(_one(parts, "FREQ") or "").upper()
    weekdays = [str(day).upper() for day in parts.get("BYDAY", ())]
    if every not in _STEPS or start_on < EARLIEST_START:
        return None
    if not _says_no_more(parts, every, start_on) or not set(weekdays) <= set(_WEEKDAYS):
        return None
    if weekdays and every in ("MONTHLY", "YEARLY"):
        return None
    return Rule(
        every=every,
        interval=max(1, int(_one(parts, "INTERVAL") or 1)),
        weekdays=frozenset(map(_WEEKDAYS.index, weekdays)),
        week_starts_on=_WEEKDAYS.index(str(_one(parts, "WKST") or "MO").upper()),
        count=_count(_one(parts, "COUNT")),
        until_on=until_on,
        shift=shift,
    )


def _count(given: Any) -> int | None:
    """Return the number of occurrences, limited to the number of days."""
    return None if given is None else min(max(0, int(given)), _MOST_DAYS)


def _says_no_more(parts: Mapping[str, Any], every: str, start_on: date) -> bool:
    """Whether every part is supported, or only repeats the start."""
    facts = {"BYMONTHDAY": start_on.day, "BYMONTH": start_on.month}
    for name in parts:
        if name in _KNOWN:
            continue
        values = [int(value) for value in parts[name]] if name in facts else []
        if name not in _SAID_BY_START.get(every, set()) or values != [facts.get(name)]:
            return False
    return True


def _one(parts: Mapping[str, Any], name: str) -> Any:
    values = parts.get(name)
    return values[0] if isinstance(values, list) and values else None


def occurrences(rule: Rule, start_on: date, horizon_on: date) -> Iterator[date]:
    """Return the days in Japan on which it starts, from the first up to the horizon."""
    last_on = horizon_on if rule.until_on is None else min(horizon_on, rule.until_on)
    days = _STEPS[rule.every](rule, start_on - rule.shift, horizon_on - rule.shift)
    in_japan = (day + rule.shift for day in islice(days, rule.count))
    yield from takewhile(lambda day: day <= last_on, in_japan)


def is_endless_beyond(rule: Rule, start_on: date, horizon_on: date) -> bool:
    """Whether the rule continues after the horizon."""
    if rule.until_on is not None and rule.until_on <= horizon_on:
        return False
    return (
        rule.count is None or sum(1 for _ in occurrences(rule, start_on, horizon_on)) < rule.count
    )


def _days(rule: Rule, start_on: date, horizon_on: date) -> Iterator[date]:
    day, step = start_on, min(rule.interval, (horizon_on - start_on).days + 1)
    while day <= horizon_on:
        if not rule.weekdays or day.weekday() in rule.weekdays:
            yield day
        day += timedelta(days=max(1, step))


def _weeks(rule: Rule, start_on: date, horizon_on: date) -> Iterator[date]:
    weekdays = rule.weekdays or {start_on.weekday()}
    first_week = start_on - timedelta(days=(start_on.weekday() - rule.week_starts_on) % _WEEK)
    day = start_on
    while day <= horizon_on:
        weeks = (day - first_week).days // _WEEK
        if weeks % rule.interval == 0 and day.weekday() in weekdays:
            yield day
        day += ONE_DAY


def _months(months: int) -> Callable[[Rule, date, date], Iterator[date]]:
    def step(rule: Rule, start_on: date, horizon_on: date) -> Iterator[date]:
        number, most = 0, (horizon_on.year - start_on.year + 1) * 12
        while number <= most:
            day = add_months(start_on, number)
            # The 31st does not occur in a shorter month.
            if day.day == start_on.day:
                yield day
            number += min(months * rule.interval, most + 1)

    return step


_STEPS: Final[dict[str, Callable[[Rule, date, date], Iterator[date]]]] = {
    "DAILY": _days,
    "WEEKLY": _weeks,
    "MONTHLY": _months(1),
    "YEARLY": _months(12),
}
