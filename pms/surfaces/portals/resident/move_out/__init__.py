"""Leaving: on which day, what it costs, and the notice itself."""

from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.portals.resident.move_out import filing, withdrawing
from pms.surfaces.portals.resident.own import PARAMETER

_HERE = f"/<{PARAMETER}>/move-out"

ADDRESSES = (
    PortalAddress(_HERE, "move_out", filing.show),
    PortalAddress(f"{_HERE}/preview", "move_out_preview", filing.preview),
    PortalAddress(f"{_HERE}/preview", "file_move_out", filing.file, "POST"),
    PortalAddress(f"{_HERE}/withdrawal", "move_out_withdrawal", withdrawing.confirm),
    PortalAddress(f"{_HERE}/withdrawal", "withdraw_move_out", withdrawing.withdraw, "POST"),
)
