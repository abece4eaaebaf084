"""The office's check-in links: making, sending, revoking, the register of guests."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
