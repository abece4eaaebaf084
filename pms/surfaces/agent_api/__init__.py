"""The JSON API for websites, assistants and suppliers."""

from flask import Flask

from pms.foundation.clock import Clock
from pms.foundation.last_calls import LastCalls
from pms.foundation.settings import Settings
from pms.surfaces import limits
from pms.surfaces.agent_api import (  # noqa: F401 - importing a module adds its routes
    people,
    properties,
    site_content,
    site_units,
    writes,
)
from pms.surfaces.agent_api.answers import BODIES, Bodies
from pms.surfaces.agent_api.gate import allow_origins_of_keys, blueprint, enter, note_calls
from pms.surfaces.agent_api.unit_shapes import PIECES, UnitPieces


def install(app: Flask, settings: Settings, clock: Clock) -> None:
    """Register the API, its gate and its caches.

    The order of checks: a CORS preflight is answered without a key and is not counted; then the
    key, its budget and its scope.
    """
    app.extensions[BODIES] = Bodies()
    app.extensions[PIECES] = UnitPieces()
    app.register_blueprint(blueprint)
    allow_origins_of_keys(app)
    limits.install(app, settings, clock)
    app.before_request(enter)
    note_calls(app, LastCalls(settings, clock))
