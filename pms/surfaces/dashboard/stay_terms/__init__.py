"""How the workspace takes its guests in: times, codes, the register's fields, the rules."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
