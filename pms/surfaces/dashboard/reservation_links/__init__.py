"""Reservation links: offering a unit, sending, revoking."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
