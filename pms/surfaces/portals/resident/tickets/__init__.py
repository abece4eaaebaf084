"""Conversations with the office about what a resident reported."""

from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.portals.resident.own import PARAMETER
from pms.surfaces.portals.resident.pictures import MOST_BYTES
from pms.surfaces.portals.resident.tickets import thread

_ALL = f"/<{PARAMETER}>/tickets"
_ONE = f"{_ALL}/<ticket_id>"

ADDRESSES = (
    PortalAddress(_ALL, "tickets", thread.list_all),
    PortalAddress(_ONE, "ticket", thread.show),
    PortalAddress(_ONE, "answer_ticket", thread.answer, "POST", MOST_BYTES),
    PortalAddress(f"{_ONE}/reopening", "reopen_ticket", thread.reopen, "POST"),
    PortalAddress(f"/<{PARAMETER}>/photos/<photo_id>/<int:width>", "ticket_photo", thread.picture),
)
