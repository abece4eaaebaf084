"""Parses iCalendar files: components, recurrence and events."""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from pms.rules.days import FIRST_DAY, JAPAN, LAST_DAY, ONE_DAY

if TYPE_CHECKING:
    from icalendar import Event


_LONGEST_TEXT: Final = 200
MOST_OF_AN_EVENT: Final = 100_000
"""How many characters an event may have in the properties that are read."""
MOST_LINES_OF_AN_EVENT: Final = 500
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
    """Return the event, with its broken properties set aside, or `None`; also for one too long."""
    if len(text) > MOST_OF_AN_EVENT or text.count("\n") > MOST_LINES_OF_AN_EVENT:
        return None
    # Imported here: a worker that reads no calendar never loads the library.
    from icalendar import Event

    # An error of the library on a malformed event must not affect the others.
    try:
        event = Event.from_ical(text)
    except Exception:
        return None
    return event if isinstance(event, Event) else None


def stated_uid(text: str) -> str | None:
    """Return the UID of an event that cannot be parsed."""
    found = re.search(r"^UID[^:\r\n]*:(.*)$", text, re.MULTILINE | re.IGNORECASE)
    return (found.group(1).strip()[:_LONGEST_TEXT] or None) if found else None


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


def stamp_of(event: "Event") -> datetime | None:
    """Return when this version of the event was written; `None` where it does not say so."""
    for name in ("LAST-MODIFIED", "DTSTAMP"):
        try:
            when = _read_day_or_time(event, name, "unreadable")
        except Unusable:
            continue
        if isinstance(when, datetime):
            return _in_japan(when)
    return None


def changes_all_later(event: "Event") -> bool:
    """Whether the event replaces its occurrence and all later ones of the repetition."""
    value = property_value(event, "RECURRENCE-ID")
    params = getattr(value, "params", {})
    return str(params.get("RANGE", "")).upper() == "THISANDFUTURE"


def occurrence_of(event: "Event") -> date | None:
    """Return the occurrence of a repetition that this event replaces."""
    try:
        when = _read_day_or_time(event, "RECURRENCE-ID", "unreadable")
        return None if when is None else japan_day(when)
    except Unusable:
        return None


def nights_of_start(event: "Event") -> tuple[Nights, ...]:
    """Return the night on which the event starts, for one whose end cannot be read."""
    copy = event.copy()
    for name in ("DTEND", "DURATION"):
        copy.pop(name, None)
    try:
        return (nights_of(copy),)
    except Unusable:
        return ()


def nights_of(event: "Event") -> Nights:
    """Return the nights of the event, or of its first occurrence (specification, Availability)."""
    start = _read_day_or_time(event, "DTSTART", "unreadable_start")
    if start is None:
        raise Unusable("no_start")
    end = _read_day_or_time(event, "DTEND", "unreadable_end") or _after_duration(event, start)
    first_on = japan_day(start)
    to_on = first_on + ONE_DAY if end is None else japan_day(end)
    if to_on < first_on or _is_backwards(start, end):
        raise Unusable("backwards")
    # An event of less than a day takes the night on which it starts.
    to_on = max(to_on, first_on + ONE_DAY)
    if not FIRST_DAY <= first_on < to_on <= LAST_DAY:
        raise Unusable("out_of_range")
    summary = text_of(event, "SUMMARY")
    # An id from days and summary, for an event without a UID.
    uid = uid_of(event) or f"no-uid-{sha256(f'{first_on}/{to_on}/{summary}'.encode()).hexdigest()}"
    return Nights(uid, first_on, to_on, summary, booking_of(event))


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


def _read_day_or_time(event: "Event", name: str, code: str) -> date | datetime | None:
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


HORIZON_DAYS: Final = 550
MOST_OCCURRENCES: Final = 400
EARLIEST_START: Final = date(2000, 1, 1)
MOST_FRUITLESS: Final = 3
"""How many rules without an occurrence are expanded to the end of time in one reading."""
MOST_EXPANDED: Final = 100_000
"""How many occurrences all rules of a calendar may have up to the horizon."""
_MOST_POSITIONS: Final = 31

_MOST_STEPS: Final = 100_000
_ANY_RULE: Final = frozenset(
    {"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTH", "BYMONTHDAY"}
)
# RFC 5545 allows the others only here; elsewhere a contradictory rule would take seconds.
_PARTS: Final = {
    "DAILY": _ANY_RULE,
    "WEEKLY": _ANY_RULE,
    "MONTHLY": _ANY_RULE | {"BYSETPOS"},
    "YEARLY": _ANY_RULE | {"BYSETPOS", "BYYEARDAY", "BYWEEKNO"},
}
_LEAP_YEAR: Final = 2000


@dataclass(slots=True)
class Expander:
    """Expands the rules of one calendar; the same rule of many events is expanded once."""

    horizon_on: date
    _known: dict[tuple[str, datetime], tuple[Sequence[datetime], bool]] = field(
        default_factory=dict
    )
    _fruitless: int = 0
    _expanded: int = 0

    def expand(self, rule: Mapping[str, Any], start: datetime) -> tuple[Sequence[datetime], bool]:
        """Return the starts up to the horizon, and whether the rule goes on after it.

        Raises `Unusable` for a rule that is not read.
        """
        text, until_on = _write_rule(rule, start)
        key = f"{text} {until_on}", start
        if key not in self._known:
            if self._fruitless >= MOST_FRUITLESS or self._expanded >= MOST_EXPANDED:
                raise Unusable("first_only")
            from dateutil.rrule import rrulestr

            zone, last_on = start.tzinfo, min(self.horizon_on, until_on or self.horizon_on)
            try:
                # In the event's own clock time: a rule speaks of the days of its zone.
                each = rrulestr(text, dtstart=start.replace(tzinfo=None))
                found, goes_on = list[datetime](), False
                for start_on in each:
                    when = start_on.replace(tzinfo=zone)
                    goes_on = japan_day(when) > last_on
                    if goes_on:
                        break
                    found.append(when)
            except (ValueError, TypeError, OverflowError, AttributeError, IndexError):
                raise Unusable("first_only") from None
            self._known[key] = found, goes_on and (until_on is None or until_on > self.horizon_on)
            self._fruitless += not self._known[key][0]
            self._expanded += len(self._known[key][0])
        return self._known[key]


def _write_rule(rule: Mapping[str, Any], start: datetime) -> tuple[str, date | None]:
    """Return a rule as text without its end, and its last day in Japan; refuse unknown parts."""
    from icalendar import Event
    from icalendar.parser_tools import to_unicode

    try:
        every = str(_find_first_value(rule, "FREQ") or "").upper()
        parts = {name.upper(): values for name, values in rule.items()}
        if not parts.keys() <= _PARTS.get(every, frozenset()) or not _has_days(parts):
            raise Unusable("first_only")
        if start.date() < EARLIEST_START or len(parts.get("BYSETPOS", ())) > _MOST_POSITIONS:
            raise Unusable("first_only")
        until = parts.pop("UNTIL", None)
        for name, least in (("INTERVAL", 1), ("COUNT", 1)):
            if name in parts:
                parts[name] = min(max(least, int(_find_first_value(parts, name))), _MOST_STEPS)
        event = Event()
        event.add("RRULE", parts)
        text = to_unicode(event["RRULE"].to_ical())
        return text, japan_day(until[0] if isinstance(until, list) else until) if until else None
    except (ValueError, TypeError, AttributeError, IndexError, KeyError):
        raise Unusable("first_only") from None


def _has_days(parts: Mapping[str, Any]) -> bool:
    """Whether some month has one of the days; no year has a 30 February."""
    months = [int(month) for month in parts.get("BYMONTH", range(1, 13))]
    days = [abs(int(day)) for day in parts.get("BYMONTHDAY", (1,))]
    return any(1 <= day <= monthrange(_LEAP_YEAR, month)[1] for month in months for day in days)


def _find_first_value(parts: Mapping[str, Any], name: str) -> Any:
    values = parts.get(name)
    return values[0] if isinstance(values, list) and values else values


def is_repeating(event: "Event") -> bool:
    """Whether the event has further occurrences."""
    return "RRULE" in event or "RDATE" in event


def repeated_nights(
    event: "Event", first: Nights, expander: Expander
) -> tuple[Sequence[Nights], bool]:
    """Return the nights of every occurrence up to the horizon, and whether more follow.

    The first occurrence always counts. Raises `Unusable` for a repetition that is not read.
    """
    length, goes_on = first.to_on - first.first_on, False
    runs = {first.first_on: first}
    for rule in _list_values(event, "RRULE"):
        starts, is_endless = expander.expand(rule, _start_of(event))
        goes_on = goes_on or is_endless
        for when in starts:
            day = japan_day(when)
            runs.setdefault(day, _move_nights(first, day, day + length))
    for day, to_on in _added_days(event, length):
        runs[day] = _move_nights(first, day, to_on)
    horizon_on = expander.horizon_on
    return [runs[day] for day in sorted(runs) if day <= horizon_on or day == first.first_on], (
        goes_on or max(runs) > horizon_on
    )


def _move_nights(first: Nights, first_on: date, to_on: date) -> Nights:
    if not FIRST_DAY <= first_on < LAST_DAY:
        raise Unusable("out_of_range")
    to_on = min(max(to_on, first_on + ONE_DAY), LAST_DAY)
    return Nights(first.uid, first_on, to_on, first.summary, first.booking_reference)


def _start_of(event: "Event") -> datetime:
    start = _read_day_or_time(event, "DTSTART", "unreadable_start")
    if start is None:
        raise Unusable("no_start")
    return start if isinstance(start, datetime) else datetime.combine(start, time())


def _list_values(event: "Event", name: str) -> Sequence[Any]:
    value = event.get(name)
    if value is None:
        return ()
    return value if isinstance(value, list) else (value,)


def _added_days(event: "Event", length: timedelta) -> Iterator[tuple[date, date]]:
    """Yield the first day and the end of each added date; one with a period has its own end."""
    for dates in _list_values(event, "RDATE"):
        try:
            values = [value.dt for value in dates.dts]
        except (ValueError, AttributeError, TypeError):
            raise Unusable("first_only") from None
        for value in values:
            if isinstance(value, tuple):
                start, end = value
                end = start + end if isinstance(end, timedelta) else end
                yield japan_day(start), japan_day(end)
            elif isinstance(value, date):
                yield japan_day(value), japan_day(value) + length
            else:
                raise Unusable("first_only")
