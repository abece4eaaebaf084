"""The door of a portal: an address, then the digits that were mailed to it."""

from typing import Final

from pms.surfaces.portals.doors import code, coming_in, leaving, sign_in
from pms.surfaces.portals.reach import PortalAddress

_SCREEN: Final = "/sign-in/pin/<screen>"
ADDRESSES: Final = (
    PortalAddress("/sign-in", "sign_in", sign_in.show),
    PortalAddress("/sign-in", "ask_for_code", sign_in.ask, "POST"),
    PortalAddress(_SCREEN, "code", code.show),
    PortalAddress(_SCREEN, "try_code", code.enter, "POST"),
    PortalAddress(f"{_SCREEN}/again", "ask_again", code.ask_again, "POST"),
    PortalAddress("/sign-in/link/<token>", "sign_in_link", coming_in.show_link),
    PortalAddress("/sign-in/link/<token>", "use_sign_in_link", coming_in.use_link, "POST"),
    PortalAddress("/sign-out", "sign_out", leaving.leave, "POST"),
)
