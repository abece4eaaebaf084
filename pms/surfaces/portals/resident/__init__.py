"""The portal of residents and applicants: every feature's addresses behind one gate."""

from typing import Any, Final

from flask import Flask
from flask_wtf.csrf import CSRFProtect

from pms.rules.enumerations import Door
from pms.surfaces.portals.blueprints import open_portal
from pms.surfaces.portals.resident import (
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
from pms.surfaces.portals.resident.home import menu

FEATURES: Final[tuple[Any, ...]] = (
    home,
    invoices,
    payments,
    documents,
    reports,
    tickets,
    move_out,
    condition,
    profile,
)


def install(app: Flask, csrf: CSRFProtect) -> None:
    """Give the application the portal of residents."""
    addresses = [address for feature in FEATURES for address in feature.ADDRESSES]
    open_portal(app, csrf, Door.RESIDENT, addresses, arrive=own.arrive, menu=menu)
    app.jinja_env.globals.update(
        tenancy_here=own.tenancy_here, condition_invitation=condition.invitation
    )
