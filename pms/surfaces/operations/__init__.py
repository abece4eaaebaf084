"""Probes for the operator's machines: is the process up, can it work, what has it done."""

from flask import Blueprint, Response

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.surfaces.operations import probes as gate
from pms.surfaces.operations import probes as health
from pms.surfaces.operations import probes as metrics


def make_blueprint(settings: Settings, database: Database, clock: Clock) -> Blueprint:
    """Return `/healthz`, `/readyz` and `/metrics`."""
    blueprint = Blueprint("operations", __name__)

    @blueprint.get("/healthz")
    def healthz() -> Response:
        return health.process()

    @blueprint.get("/readyz")
    def readyz() -> Response:
        return health.ready(database, clock)

    @blueprint.get("/metrics")
    def show_metrics() -> Response:
        gate.admit_operator(settings.metrics_token)
        return metrics.exposition(database, clock)

    return blueprint
