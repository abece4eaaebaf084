"""What the website shows: posts, campaigns, positions, services and its own words."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
