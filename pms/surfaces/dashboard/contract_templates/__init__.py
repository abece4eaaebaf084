"""The workspace's contract templates: writing, previewing, archiving."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
