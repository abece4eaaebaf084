"""What the website saw: visits a day, a page and a campaign."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
