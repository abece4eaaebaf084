"""The portal of residents and applicants: all its addresses behind one gate."""

from flask import Flask

from pms.surfaces.portals.blueprints import open_portal
from pms.surfaces.portals.gate import guard
from pms.surfaces.portals.resident import (  # noqa: F401 - importing a module adds its routes
    condition,
    documents,
    home,
    invoices,
    move_out,
    own,
    payments,
    profile,
    reports,
    tickets,
)
from pms.surfaces.portals.resident.blueprint import blueprint
from pms.surfaces.portals.resident.home import menu

guard(blueprint, own.arrive)


def install(app: Flask) -> None:
    """Register the portal of residents."""
    open_portal(app, blueprint, menu)
    app.jinja_env.globals.update(
        tenancy_here=own.tenancy_here,
        condition_invitation=condition.invitation,
        offers_collections=payments.offers_collections,
    )
