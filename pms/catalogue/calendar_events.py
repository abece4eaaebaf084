"""Reads one event of a channel's calendar: its days in Japan, its name, what tells it apart."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from pms.rules.days import FIRST_DAY, JAPAN, LAST_DAY, ONE_DAY

if TYPE_CHECKING:
    from icalendar import Event

_LONGEST_TEXT: Final = 200
_SPACES: Final = re.compile(r"\s+")
_BOOKING: Final = re.compile(r"/reservations/details/([A-Z0-9]{6,20})(?![A-Z0-9])")


class Unusable(Exception):
    """An event that holds nothing because it cannot be read; the code says why."""


@dataclass(frozen=True, slots=True)
class Nights:
    """The nights an event holds, from the first up to, not including, `to_on`."""

    uid: str
    first_on: date
    to_on: date
    summary: str | None
    booking_reference: str | None = None

    @property
    def last_on(self) -> date:
        """The last day taken: its night is the last one held."""
        return self.to_on - ONE_DAY


def parsed(text: str) -> "Event | None":
    """The event, with its broken properties kept apart, or None."""
    # Imported here: a worker that reads no calendar never loads the library.
    from icalendar import Event

    # Whatever the library stumbles over in a hostile event must not cost the others.
    try:
        event = Event.from_ical(text)
    except Exception:
        return None
    return event if isinstance(event, Event) else None


def given(event: "Event", name: str) -> Any:
    """A property as it stands, the first one where it is repeated; None without it."""
    value = event.get(name)
    return value[0] if isinstance(value, list) and value else value


def text_of(event: "Event", name: str) -> str | None:
    """A property as one line of text."""
    value = given(event, name)
    if value is None:
        return None
    return _SPACES.sub(" ", str(value)).strip()[:_LONGEST_TEXT] or None


def booking_of(event: "Event") -> str | None:
    """The booking's code at the channel, where the event leads to a page of it."""
    found = _BOOKING.search(str(given(event, "DESCRIPTION") or ""))
    return found.group(1) if found else None


def uid_of(event: "Event") -> str | None:
    """What tells the event apart in its feed; an overlong one by its digest."""
    plain = str(given(event, "UID") or "").strip()
    if len(plain) > _LONGEST_TEXT:
        return f"long-{sha256(plain.encode()).hexdigest()}"
    return plain or None


def sequence_of(event: "Event") -> int:
    """The version of the event; the first one is 0."""
    try:
        return max(0, int(given(event, "SEQUENCE") or 0))
    except (ValueError, TypeError):
        return 0


def occurrence_of(event: "Event") -> date | None:
    """The occurrence of a repetition that this event replaces."""
    try:
        when = _when(event, "RECURRENCE-ID", "unreadable")
        return None if when is None else japan_day(when)
    except Unusable:
        return None


def nights_of(event: "Event") -> Nights:
    """The nights of the event, or of its first occurrence (specification, Availability)."""
    start = _when(event, "DTSTART", "unreadable_start")
    if start is None:
        raise Unusable("no_start")
    end = _when(event, "DTEND", "unreadable_end") or _after_duration(event, start)
    first_on = japan_day(start)
    to_on = first_on + ONE_DAY if end is None else japan_day(end)
    if to_on < first_on or _is_backwards(start, end):
        raise Unusable("backwards")
    # Less than a day holds the night it starts.
    to_on = max(to_on, first_on + ONE_DAY)
    if not FIRST_DAY <= first_on < to_on <= LAST_DAY:
        raise Unusable("out_of_range")
    summary = text_of(event, "SUMMARY")
    uid = uid_of(event) or _uid_by_days(first_on, to_on, summary)
    return Nights(uid, first_on, to_on, summary, booking_of(event))


def own_day_of(event: "Event") -> date:
    """The day the event starts where it takes place, in whose days its repetition is told."""
    start = _when(event, "DTSTART", "unreadable_start")
    if start is None:
        raise Unusable("no_start")
    return start.date() if isinstance(start, datetime) else start


def _uid_by_days(first_on: date, to_on: date, summary: str | None) -> str:
    """Without a UID an event is known again by its days and summary."""
    return f"no-uid-{sha256(f'{first_on}/{to_on}/{summary}'.encode()).hexdigest()}"


def excepted_days(event: "Event") -> set[date]:
    """The days a repetition leaves out; those that cannot be read leave nothing out."""
    exceptions = event.get("EXDATE") or []
    days: set[date] = set()
    for dates in exceptions if isinstance(exceptions, list) else [exceptions]:
        try:
            days.update(japan_day(one.dt) for one in dates.dts)
        except (Unusable, ValueError, AttributeError, TypeError):
            continue
    return days


def unknown_zone(event: "Event") -> str | None:
    """The name of a zone that is not known; its times are taken as Japan time."""
    start = given(event, "DTSTART")
    zone = start.params.get("TZID")
    is_floating = isinstance(start.dt, datetime) and start.dt.tzinfo is None
    return str(zone)[:_LONGEST_TEXT] if zone and is_floating else None


def japan_day(when: date | datetime) -> date:
    """The day in Japan; a time without a zone is Japan time."""
    return _in_japan(when).date() if isinstance(when, datetime) else when


def until_of(values: Sequence[Any] | None) -> date | None:
    """The last day of a repetition."""
    return japan_day(values[0]) if values else None


def _when(event: "Event", name: str, code: str) -> date | datetime | None:
    value = given(event, name)
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
    value = given(event, "DURATION")
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
