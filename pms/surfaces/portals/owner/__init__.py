"""The portal of registered owners: every feature's addresses behind one gate."""

from typing import Any, Final

from flask import Flask
from flask_wtf.csrf import CSRFProtect

from pms.rules.enumerations import Door
from pms.surfaces.portals.blueprints import open_portal
from pms.surfaces.portals.owner import home, profile, statements
from pms.surfaces.portals.owner.home import menu
from pms.surfaces.portals.owner.own import arrive

FEATURES: Final[tuple[Any, ...]] = (home, statements, profile)


def install(app: Flask, csrf: CSRFProtect) -> None:
    """Give the application the portal of owners."""
    addresses = [address for feature in FEATURES for address in feature.ADDRESSES]
    open_portal(app, csrf, Door.OWNER, addresses, arrive=arrive, menu=menu)
