"""The portals of residents and owners: a mailed code opens what belongs to an address."""

from flask import Flask

from pms.surfaces.portals import owner, resident
from pms.surfaces.portals.gate import portal_has, portal_menu
from pms.surfaces.portals.portal import portal


def install(app: Flask) -> None:
    """Register both portals."""
    resident.install(app)
    owner.install(app)
    app.jinja_env.globals.update(portal=portal, portal_has=portal_has, portal_menu=portal_menu)
