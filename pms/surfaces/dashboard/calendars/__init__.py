"""Calendars of units: feeds in, the address out, what stands against each other."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
