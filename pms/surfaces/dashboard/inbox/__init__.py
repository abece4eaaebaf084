"""The inbox: one thread a person, whatever channel they write on."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
