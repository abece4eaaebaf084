"""The portal of registered owners: all its addresses behind one gate."""

from flask import Flask

from pms.surfaces.portals.gate import guard, open_portal
from pms.surfaces.portals.owner import (  # noqa: F401 - importing a module adds its routes
    home,
    statements,
)
from pms.surfaces.portals.owner.home import menu
from pms.surfaces.portals.owner.own import arrive, blueprint

guard(blueprint, arrive)


def install(app: Flask) -> None:
    """Register the portal of owners."""
    open_portal(app, blueprint, menu)
