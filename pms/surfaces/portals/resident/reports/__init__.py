"""A problem of the home, reported by whoever lives there."""

from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.portals.resident.own import PARAMETER
from pms.surfaces.portals.resident.pictures import MOST_BYTES
from pms.surfaces.portals.resident.reports import report

_HERE = f"/<{PARAMETER}>/report"

ADDRESSES = (
    PortalAddress(_HERE, "report_problem", report.show),
    PortalAddress(_HERE, "send_report", report.send, "POST", MOST_BYTES),
)
