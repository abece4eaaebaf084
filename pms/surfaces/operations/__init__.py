"""Probes for the installation's operator: liveness, readiness and metrics."""

from flask import Blueprint, Response

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.surfaces.operations import probes


def make_blueprint(settings: Settings, database: Database, clock: Clock) -> Blueprint:
    """Return the blueprint of `/healthz`, `/readyz` and `/metrics`."""
    blueprint = Blueprint("operations", __name__)

    @blueprint.get("/healthz")
    def healthz() -> Response:
        return probes.process()

    @blueprint.get("/readyz")
    def readyz() -> Response:
        return probes.ready(database, clock)

    @blueprint.get("/metrics")
    def show_metrics() -> Response:
        probes.admit_operator(settings.metrics_token)
        return probes.exposition(database, clock)

    return blueprint
