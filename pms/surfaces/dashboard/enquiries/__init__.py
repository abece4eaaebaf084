"""Enquiries: inbox, one enquiry, answering, assigning."""

from pms.surfaces.dashboard.reach import Address

ADDRESSES: tuple[Address, ...] = ()
