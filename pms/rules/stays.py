"""A unit's stays and external blocks, as read by the rules of occupancy."""

from typing import Final, NamedTuple

from pms.rules.days import RecordedDay
from pms.rules.enumerations import ReservationKind

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
