"""Writes a viewing as a calendar file, which the visitor's own calendar takes in or takes out."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

_PROGRAM: Final = "-//Property management//Viewings//EN"


class CalendarEntry(NamedTuple):
    """What stands in the visitor's calendar; a later `version` replaces an earlier one."""

    id: str
    version: int
    starts_at: datetime
    minutes: int
    title: str
    place: str
    organiser: str
    is_cancelled: bool
    written_at: datetime


def viewing_calendar(entry: CalendarEntry) -> bytes:
    """Return the file (RFC 5545) with one event, whose times are the same everywhere."""
    # Imported here: a worker that writes no such file never loads the library.
    from icalendar import Calendar, Event

    calendar, event = Calendar(), Event()
    calendar.add("prodid", _PROGRAM)
    calendar.add("version", "2.0")
    calendar.add("method", "CANCEL" if entry.is_cancelled else "PUBLISH")
    event.add("uid", f"viewing-{entry.id}")
    event.add("sequence", entry.version - 1)
    event.add("dtstamp", entry.written_at)
    event.add("dtstart", entry.starts_at)
    event.add("dtend", entry.starts_at + timedelta(minutes=entry.minutes))
    event.add("summary", entry.title)
    event.add("location", entry.place)
    event.add("description", entry.organiser)
    event.add("status", "CANCELLED" if entry.is_cancelled else "CONFIRMED")
    calendar.add_component(event)
    content: bytes = calendar.to_ical()
    return content
