"""What suppliers say was ordered, on its way into projects."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
