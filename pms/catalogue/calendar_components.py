"""Cuts a calendar into its events without trusting any of them: one broken event stays one.

Lines are unfolded as bytes, because exporters fold inside a letter, and decoded afterwards.
Definitions of time zones are passed over: their rules may be bombs, and the zones that channels
name are known anyway.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pms.catalogue.calendar_wording import CalendarRefused

MOST_BYTES: Final = 2 * 1024 * 1024
MOST_EVENTS: Final = 2_000

_FOLD: Final = re.compile(rb"\r?\n[ \t]")
_LINE: Final = re.compile(r"\r\n?|\n")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class Components:
    """A calendar's name and producer, and the lines of each of its events."""

    name: str | None
    product: str | None
    events: tuple[str, ...]


def cut(data: bytes, most_bytes: int = MOST_BYTES, most_events: int = MOST_EVENTS) -> Components:
    """The parts of a calendar; refuses what is no calendar, cut off, or too large."""
    if len(data) > most_bytes:
        raise CalendarRefused("too_large", most=most_bytes // (1024 * 1024))
    text = _CONTROL.sub("\ufffd", _FOLD.sub(b"", data).decode("utf-8-sig", "replace"))
    lines = [line for line in _LINE.split(text) if line.strip()]
    if not lines or lines[0].strip().upper() != "BEGIN:VCALENDAR":
        raise CalendarRefused("not_a_calendar")
    # Half a feed would release the days of the other half.
    if lines[-1].strip().upper() != "END:VCALENDAR":
        raise CalendarRefused("cut_off")
    events = tuple(_events(lines))
    if len(events) > most_events:
        raise CalendarRefused("too_many_events", most=most_events)
    return Components(_property(lines, "X-WR-CALNAME"), _property(lines, "PRODID"), events)


def _events(lines: list[str]) -> Iterator[str]:
    """The text of each event, with whatever is nested in it; a new one ends one left open."""
    event: list[str] | None = None
    for line in lines:
        word = line.strip().upper()
        if word == "BEGIN:VEVENT":
            if event is not None:
                yield _closed(event)
            event = [line]
        elif event is not None:
            event.append(line)
            if word in ("END:VEVENT", "END:VCALENDAR"):
                yield _closed(event)
                event = None


def _closed(event: list[str]) -> str:
    if event[-1].strip().upper() != "END:VEVENT":
        lines = event[:-1] if event[-1].strip().upper() == "END:VCALENDAR" else event
        event = [*lines, "END:VEVENT"]
    return "\r\n".join(event) + "\r\n"


def _property(lines: list[str], name: str) -> str | None:
    """A property of the calendar itself; those of its events come after the first BEGIN."""
    for line in lines[1:]:
        head, colon, value = line.partition(":")
        if head.strip().upper() == "BEGIN":
            continue
        if colon and head.split(";")[0].strip().upper() == name:
            return value.replace("\\,", ",").replace("\\;", ";").strip()[:_LONGEST_NAME] or None
    return None
