"""The portal of registered owners: all its addresses behind one gate."""

from flask import Flask

from pms.surfaces.portals.blueprints import open_portal
from pms.surfaces.portals.gate import guard
from pms.surfaces.portals.owner import (  # noqa: F401 - importing a module adds its routes
    home,
    profile,
    statements,
)
from pms.surfaces.portals.owner.blueprint import blueprint
from pms.surfaces.portals.owner.home import menu
from pms.surfaces.portals.owner.own import arrive

guard(blueprint, arrive)


def install(app: Flask) -> None:
    """Register the portal of owners."""
    open_portal(app, blueprint, menu)
