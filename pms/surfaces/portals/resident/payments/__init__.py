"""Paying what is open: by bank transfer with a reference, or on a provider's page."""

from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.portals.resident.own import PARAMETER
from pms.surfaces.portals.resident.payments import paying, visit

ADDRESSES = (
    PortalAddress(f"/<{PARAMETER}>/pay", "pay", paying.show),
    PortalAddress(f"/<{PARAMETER}>/pay", "pay_online", paying.set_out, "POST"),
    PortalAddress(f"/<{PARAMETER}>/payment", "payment", visit.show),
)
