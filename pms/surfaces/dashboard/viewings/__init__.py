"""Viewings: a calendar by week, booking, moving, cancelling, noting the result."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
