"""The resident's own page: how they are reached, who lives with them, where they are signed in."""

from typing import Final

from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.portals.resident.own import PARAMETER
from pms.surfaces.portals.resident.profile import people, profile, sessions

_HERE: Final = f"/<{PARAMETER}>/profile"
ADDRESSES: Final = (
    PortalAddress(_HERE, "profile", profile.show),
    PortalAddress(_HERE, "change_profile", profile.change, "POST"),
    PortalAddress(f"{_HERE}/people", "people", people.show),
    PortalAddress(f"{_HERE}/people", "ask_about_people", people.ask, "POST"),
    PortalAddress(f"{_HERE}/sessions", "end_other_sessions", sessions.end_others, "POST"),
)
