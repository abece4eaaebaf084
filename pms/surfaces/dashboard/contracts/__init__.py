"""The documents of a reservation: issuing, sending for signature, reading."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
