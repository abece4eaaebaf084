"""Writes the nights a unit is taken as a calendar that channels and calendar programs read."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pms.availability.busy_nights import BusyNights
from pms.catalogue.calendar_reading import OWN_PRODUCT, OWN_UID_ENDING

if TYPE_CHECKING:
    from icalendar import Event

_SUMMARY: Final = "Not available"
_EVERY: Final = timedelta(hours=1)


def written(nights: Sequence[BusyNights], name: str) -> bytes:
    """Return the calendar; whole days, the day after the last night outside (RFC 5545, DTEND)."""
    # Imported here and below: a worker that shows no calendar never loads the library.
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", OWN_PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", _EVERY, parameters={"value": "DURATION"})
    for run in nights:
        calendar.add_component(_event(run))
    content: bytes = calendar.to_ical()
    return content


def _event(run: BusyNights) -> "Event":
    from icalendar import Event

    event = Event()
    event.add("uid", f"{run.id}{OWN_UID_ENDING}")
    event.add("dtstamp", run.changed_at)
    event.add("dtstart", run.first_on)
    event.add("dtend", run.free_from_on)
    event.add("summary", _SUMMARY)
    event.add("transp", "OPAQUE")
    return event
