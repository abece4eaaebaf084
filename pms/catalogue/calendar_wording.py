"""The texts of the results for an event and for a calendar."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.foundation.translations import deferred_texts, translate

WORDS: Final = deferred_texts(
    {
        "block": "held",
        "cancelled": "cancelled: holds nothing",
        "superseded": "superseded by a later version of the same event",
        "own": "one of our own events come back: holds nothing",
        "no_start": "no start: left out; days held before stay held",
        "unreadable_start": "its start cannot be read: left out; days held before stay held",
        "unreadable_end": "its end cannot be read: its first night is held",
        "backwards": "ends before it starts: left out; days held before stay held",
        "out_of_range": "outside the years 1900 to 2200: left out",
        "unreadable": "cannot be read: left out; days held before stay held",
        "first_only": "its repetition is not one we read: only the first occurrence is held",
        "all_later": "changes all later occurrences, which is not read: they stay held as they were",
        "window": "not on sale at the channel: left out, as set for this calendar",
        "bounded": "repeats: held up to {until}, later occurrences with later readings",
        "unknown_zone": "its time zone {zone} is not known: read as Japan time",
        "not_a_calendar": "This is no calendar: it does not begin with BEGIN:VCALENDAR.",
        "cut_off": "The calendar is cut off: its END:VCALENDAR is missing. Nothing was changed.",
        "too_large": "The calendar is larger than {most} MiB.",
        "too_many_events": "The calendar has more than {most} events.",
        "not_an_address": "The address is none that can be read: it begins with https:// or http://.",
        "has_password": "The address holds a user name or a password. Use the calendar's secret address instead.",
        "inside": "The address leads into a private network. Only calendars on the internet are read.",
        "unknown_host": "No server of that name was found. Check the address.",
        "no_connection": "The server could not be reached.",
        "bad_certificate": "The server's certificate is not valid.",
        "bad_answer": "The server's answer could not be understood.",
        "less_safe": "The server sends us on from https:// to an address without encryption.",
        "too_many_redirects": "The server sends us on again and again.",
        "too_slow": "The server took too long.",
        "status": "The server answered {status}: the calendar may have been moved or ended there.",
        "raced": "The calendar was being read at the same time. It is read again soon.",
    }
)


_WINDOW: Final = re.compile(r"(?:airbnb )?\(?(?:not available|unavailable)\)?", re.IGNORECASE)
_CLOSED: Final = re.compile(r"blocked|closed", re.IGNORECASE)


def is_window(summary: str | None) -> bool:
    """Whether a channel says by itself that it does not sell these days: no guest comes.

    Booking.com calls the stays of its guests "CLOSED - Not available"; that never counts.
    """
    return summary is not None and _WINDOW.fullmatch(summary) is not None


def is_closure(summary: str | None) -> bool:
    """Whether a channel's event is no guest's stay: days not on sale, or closed by hand."""
    return is_window(summary) or (summary is not None and _CLOSED.fullmatch(summary) is not None)


def say(code: str, language: str, **facts: str | int) -> str:
    """Return the sentence of a code in `ja`, else in English."""
    return translate(WORDS[code], language, **facts)


class CalendarRefused(Refused):
    """A calendar that cannot be read at all; nothing of it is imported."""

    def __init__(self, code: str, **facts: str | int) -> None:
        super().__init__(say(code, "en", **facts))
        self.code, self.facts = code, facts
        self.wording = Bilingual(say(code, "ja", **facts), self.message)


# A broken event does not affect the others. Lines are unfolded as bytes, because exporters fold in
# the middle of a character, and decoded afterwards. Definitions of time zones are skipped: their
# rules may expand without end, and the zones that channels name are known anyway.
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
    """Return the parts of a calendar; refuse files that are none, truncated, or too large."""
    if len(data) > most_bytes:
        raise CalendarRefused("too_large", most=most_bytes // (1024 * 1024))
    text = _CONTROL.sub("\ufffd", _FOLD.sub(b"", data).decode("utf-8-sig", "replace"))
    lines = [line for line in _LINE.split(text) if line.strip()]
    if not lines or lines[0].strip().upper() != "BEGIN:VCALENDAR":
        raise CalendarRefused("not_a_calendar")
    # Half a feed would release the days of the other half.
    if lines[-1].strip().upper() != "END:VCALENDAR":
        raise CalendarRefused("cut_off")
    events = tuple(_split_events(lines))
    if len(events) > most_events:
        raise CalendarRefused("too_many_events", most=most_events)
    return Components(
        _find_property(lines, "X-WR-CALNAME"), _find_property(lines, "PRODID"), events
    )


def _split_events(lines: list[str]) -> Iterator[str]:
    """Return the text of each event with its nested parts; a new event ends one left open."""
    event: list[str] | None = None
    for line in lines:
        word = line.strip().upper()
        if word in _BEGINS:
            if event is not None:
                yield from _close_component(event)
            event = [line]
        elif event is not None:
            event.append(line)
            if word in _ENDS:
                yield from _close_component(event)
                event = None


_BEGINS: Final = frozenset({"BEGIN:VEVENT", "BEGIN:VFREEBUSY"})
_ENDS: Final = frozenset({"END:VEVENT", "END:VFREEBUSY", "END:VCALENDAR"})


def _close_component(lines: list[str]) -> Iterator[str]:
    if lines[0].strip().upper() == "BEGIN:VEVENT":
        yield _close_event(lines)
    else:
        # The busy periods of a VFREEBUSY, each as the text of an event.
        uid = next((line for line in lines if line.upper().startswith("UID")), None)
        for line in lines:
            head, _, values = line.partition(":")
            name, *params = head.upper().split(";")
            if name.strip() != "FREEBUSY" or "FBTYPE=FREE" in params:
                continue
            for value in values.split(","):
                start, _, end = value.strip().partition("/")
                ends = "DURATION" if end[:1] in ("P", "+", "-") else "DTEND"
                facts = [uid] if uid else []
                yield _close_event(
                    ["BEGIN:VEVENT", *facts, f"DTSTART:{start}", f"{ends}:{end}", "END:VEVENT"]
                )


_READ: Final = frozenset(
    {"BEGIN", "END", "UID", "SEQUENCE", "STATUS", "SUMMARY", "DESCRIPTION"}
    | {"DTSTAMP", "LAST-MODIFIED", "DTSTART", "DTEND", "DURATION"}
    | {"RECURRENCE-ID", "RRULE", "RDATE", "EXDATE"}
)


def _close_event(event: list[str]) -> str:
    """Return the text of an event with the properties that are read: others may be of any length."""
    event = [
        line for line in event if re.split("[:;]", line, maxsplit=1)[0].strip().upper() in _READ
    ]
    if event[-1].strip().upper() != "END:VEVENT":
        lines = event[:-1] if event[-1].strip().upper() == "END:VCALENDAR" else event
        event = [*lines, "END:VEVENT"]
    return "\r\n".join(event) + "\r\n"


def _find_property(lines: list[str], name: str) -> str | None:
    """Return a property of the calendar itself; those of its events follow the first BEGIN."""
    for line in lines[1:]:
        head, colon, value = line.partition(":")
        if head.strip().upper() == "BEGIN":
            continue
        if colon and head.split(";")[0].strip().upper() == name:
            return value.replace("\\,", ",").replace("\\;", ";").strip()[:_LONGEST_NAME] or None
    return None
