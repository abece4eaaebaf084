"""The assistant of the website: how it is set, and what it was asked."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
