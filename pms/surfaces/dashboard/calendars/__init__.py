"""Calendars of units: feeds in, the address out, what stands against each other."""

from typing import Final

from pms.surfaces.dashboard.calendars import address, conflicts, feeds, of_unit
from pms.surfaces.dashboard.reach import OFFICE, Address

_UNIT: Final = "/units/<unit_id>/calendars"
_OUT: Final = "/units/<unit_id>/calendar-address"
_FEED: Final = "/calendar-feeds/<feed_id>"

ADDRESSES: tuple[Address, ...] = (
    Address(_UNIT, "unit_calendars", of_unit.show, OFFICE),
    Address(_UNIT, "add_calendar_feed", of_unit.add, OFFICE, "POST"),
    Address(_OUT, "make_unit_calendar", address.make, OFFICE, "POST"),
    Address(f"{_OUT}/renewal", "unit_calendar_renewal", address.confirm_renewal, OFFICE),
    Address(f"{_OUT}/end", "unit_calendar_end", address.confirm_end, OFFICE),
    Address(f"{_OUT}/end", "end_unit_calendar", address.end, OFFICE, "POST"),
    Address(f"{_FEED}/reading", "read_calendar_feed", feeds.read, OFFICE, "POST"),
    Address(f"{_FEED}/removal", "calendar_feed_removal", feeds.confirm, OFFICE),
    Address(f"{_FEED}/removal", "remove_calendar_feed", feeds.remove, OFFICE, "POST"),
    Address("/calendar-conflicts", "calendar_conflicts", conflicts.show, OFFICE),
)
