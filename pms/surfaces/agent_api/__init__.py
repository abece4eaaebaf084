"""The JSON API for websites, assistants and suppliers."""

from flask import Flask

from pms.foundation.last_calls import LastCalls
from pms.surfaces.agent_api import (  # noqa: F401 - importing a module adds its routes
    answers,
    leads,
    properties,
    residents,
    writes,
)
from pms.surfaces.agent_api.answers import BODIES, Bodies, bind_refusals
from pms.surfaces.agent_api.gate import enter, note_calls
from pms.surfaces.agent_api.routes import ROOT, blueprint
from pms.surfaces.agent_api.site import content, units  # noqa: F401 - as above
from pms.surfaces.agent_api.unit_bodies import PIECES, UnitPieces
from pms.surfaces.limits import apply_headers
from pms.surfaces.request_scope import clock, database

bind_refusals(blueprint)


def install(app: Flask) -> None:
    """Put the API, its gate and its kept bodies into the application."""
    app.extensions[BODIES] = Bodies()
    app.extensions[PIECES] = UnitPieces()
    addresses = blueprint.addresses.values()
    writes.install(app, frozenset(ROOT + one.path for one in addresses if one.method == "POST"))
    app.before_request(enter)
    app.after_request(apply_headers)
    with app.app_context():
        note_calls(app, LastCalls(database().settings, clock()))
    app.register_blueprint(blueprint)
