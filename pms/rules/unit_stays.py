"""A unit's stays and external blocks, the nights that stays occupy, and double bookings among them."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

from pms.rules.days import ONE_DAY, RecordedDay
from pms.rules.enumerations import ReservationKind
from pms.rules.policy import Policy

# Enumeration members are looked up thousands of times a page; a module name is far cheaper.
_GUEST: Final = ReservationKind.GUEST


class Stay(NamedTuple):
    """One reservation of a unit, its dates as stored; `end_on` is a guest's check-out."""

    id: str
    start_on: RecordedDay
    end_on: RecordedDay = None
    move_out_on: RecordedDay = None
    expected_departure_on: RecordedDay = None
    is_forced: bool = False
    kind: ReservationKind = ReservationKind.RESIDENT
    is_cancelled: bool = False


class Block(NamedTuple):
    """One external block, both days inside; without a last day it is open-ended."""

    first_on: RecordedDay
    last_on: RecordedDay = None


def is_forced_open(stay: Stay) -> bool:
    """Whether a stay is forced open without an ending event (Month to month).

    A filed move-out, even a corrupt one, and a short-term booking override the flag.
    """
    return stay.is_forced and stay.move_out_on is None and stay.kind != _GUEST


def known_end(stay: Stay) -> RecordedDay:
    """The confirmed end of a stay: its filed move-out, or a guest's check-out (Availability)."""
    if stay.move_out_on is None and stay.kind == _GUEST:
        return stay.end_on
    return stay.move_out_on


class Span(NamedTuple):
    """The nights a stay occupies: from its first day to the first day another may start.

    Half-open: `free_from_on` is outside, and None when the span is open.
    """

    id: str
    first_on: date
    free_from_on: date | None


class SpanReading(NamedTuple):
    """The spans of one unit's stays, and the ids left out because their start is corrupt."""

    spans: tuple[Span, ...]
    unreadable: tuple[str, ...]


def read_spans(stays: Iterable[Stay], today: date, policy: Policy) -> SpanReading:
    """Return the spans of all stays not cancelled (Month to month; Availability, Rules).

    External blocks and expected departures are not read, so neither can conflict.
    """
    spans: list[Span] = []
    unreadable: list[str] = []
    for stay in stays:
        if stay.is_cancelled:
            continue
        span = span_of(stay, today, policy)
        if span is None:
            unreadable.append(stay.id)
        else:
            spans.append(span)
    return SpanReading(tuple(spans), tuple(unreadable))


def span_of(stay: Stay, today: date, policy: Policy) -> Span | None:
    """Return the span of one stay, or None when its start cannot be read (Availability, Rules).

    A stay that ends on its first day occupied that one night, so the span is never empty.
    """
    if type(stay.start_on) is not date:
        return None
    end_on = _end_of(stay, today)
    if end_on is None:
        return Span(stay.id, stay.start_on, None)
    end_on = max(end_on, stay.start_on + ONE_DAY)
    return Span(stay.id, stay.start_on, end_on + timedelta(days=policy.turnover_days))


def overlaps(span: Span, other: Span) -> bool:
    """Whether two spans share a night; spans that only touch do not (Availability, Rules)."""
    if _is_empty(span) or _is_empty(other):
        return False
    return _starts_inside(span, other) and _starts_inside(other, span)


def conflicts_with(new: Span, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans that a new booking would overlap, except its own (Errors: 400)."""
    return tuple(span for span in spans if span.id != new.id and overlaps(new, span))


def conflicts(spans: Iterable[Span]) -> tuple[tuple[Span, Span], ...]:
    """All pairs that share a night, the earlier start first (Availability, Rules)."""
    found: list[tuple[Span, Span]] = []
    open_spans: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.first_on, span.id)):
        open_spans = [earlier for earlier in open_spans if _starts_inside(span, earlier)]
        if not _is_empty(span):
            found.extend((earlier, span) for earlier in open_spans)
            open_spans.append(span)
    return tuple(found)


def _end_of(stay: Stay, today: date) -> date | None:
    """A known end; forced: open; else the contract end, but not before tomorrow."""
    end_on = known_end(stay)
    if type(end_on) is date:
        return end_on
    if is_forced_open(stay) or type(stay.end_on) is not date:
        return None
    # No notice is filed, so the resident still lives there today, whatever the contract says.
    return max(stay.end_on, today + ONE_DAY)


def _is_empty(span: Span) -> bool:
    return span.free_from_on is not None and span.free_from_on <= span.first_on


def _starts_inside(later: Span, earlier: Span) -> bool:
    return earlier.free_from_on is None or later.first_on < earlier.free_from_on
