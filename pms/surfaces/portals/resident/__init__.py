"""The portal of residents and applicants: all its addresses behind one gate."""

from flask import Flask

from pms.surfaces.portals.gate import guard, open_portal
from pms.surfaces.portals.resident import (  # noqa: F401 - importing a module adds its routes
    condition,
    documents,
    home,
    invoices,
    leaving_reason,
    move_out,
    own,
    payments,
    profile,
    rent,
    settlement,
    term,
    tickets,
)
from pms.surfaces.portals.resident.home import menu
from pms.surfaces.portals.resident.own import blueprint

guard(blueprint, own.arrive)


def install(app: Flask) -> None:
    """Register the portal of residents."""
    open_portal(app, blueprint, menu)
    app.jinja_env.globals.update(
        current_tenancy=own.current_tenancy,
        condition_invitation=condition.invitation,
        own_term=term.own_term,
        own_proposal=rent.own_proposal,
        own_settlement=settlement.own_settlement,
        offers_collections=payments.offers_collections,
    )
