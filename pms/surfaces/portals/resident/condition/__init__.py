"""The condition in which a resident found the home on arrival."""

from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.portals.resident.condition import report, rooms
from pms.surfaces.portals.resident.condition.report import invitation
from pms.surfaces.portals.resident.own import PARAMETER
from pms.surfaces.portals.resident.pictures import MOST_BYTES

__all__ = ["ADDRESSES", "invitation"]

_HERE = f"/<{PARAMETER}>/condition"
_ROOM = f"{_HERE}/rooms/<room>"
_PHOTO = f"{_HERE}/photos/<photo_id>"

ADDRESSES = (
    PortalAddress(_HERE, "condition", report.show),
    PortalAddress(_HERE, "send_condition", report.send, "POST"),
    PortalAddress(_ROOM, "condition_room", rooms.show),
    PortalAddress(_ROOM, "save_condition_room", rooms.save, "POST", MOST_BYTES),
    PortalAddress(f"{_PHOTO}/<int:width>", "condition_photo", rooms.picture),
    PortalAddress(f"{_PHOTO}/removal", "remove_condition_photo", rooms.remove_picture, "POST"),
)
