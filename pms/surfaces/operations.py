"""Probes for the installation's operator: liveness, readiness and metrics."""

from collections.abc import Iterator
from hmac import compare_digest
from http import HTTPStatus
from ipaddress import ip_address

import msgspec
from flask import Blueprint, Response, abort, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector
from prometheus_client.values import MutexValue, ValueClass

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.readiness import readiness
from pms.foundation.settings import Settings

# A proxy on the same machine connects from a loopback address, and sends one of these headers.
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-Ip")


def admit_operator(token: str | None) -> None:
    """Answer 404 unless the request has the token or comes from this machine."""
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    if token is None or scheme.lower() != "bearer":
        has_token = False
    else:
        has_token = compare_digest(given.strip().encode(), token.encode())
    if not (has_token or _is_on_this_machine()):
        abort(404)


def _is_on_this_machine() -> bool:
    if any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def process() -> Response:
    """Answer that this process is alive, without checking anything."""
    return _answer_json({"ok": True})


def ready(database: Database, clock: Clock) -> Response:
    """Answer whether this server can take requests; 503 with the findings if it cannot."""
    findings = readiness(database, clock)
    is_ready = all(finding.is_well for finding in findings)
    checks = {}
    for finding in findings:
        facts: dict[str, object] = {"ok": finding.is_well, "detail": finding.detail}
        checks[finding.name] = facts if finding.is_well else {**facts, "remedy": finding.remedy}
    status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
    return _answer_json({"ok": is_ready, "checks": checks}, status)


def _answer_json(body: dict[str, object], status: int = HTTPStatus.OK) -> Response:
    response = Response(msgspec.json.encode(body), status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


class Readiness(Collector):
    """The findings of `/readyz` as gauges."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def collect(self) -> Iterator[Metric]:
        family = GaugeMetricFamily(
            "pms_ready", "1 when the part works, as /readyz tells.", labels=("part",)
        )
        for finding in readiness(self._database, self._clock):
            family.add_metric((finding.name,), float(finding.is_well))
        yield family


def exposition(database: Database, clock: Clock) -> Response:
    """Return the metrics of all web workers of this server, added up."""
    ready = CollectorRegistry()
    ready.register(Readiness(database, clock))
    # The registry: of all workers if `PROMETHEUS_MULTIPROC_DIR` was set before import.
    if ValueClass is MutexValue:
        registry = REGISTRY
    else:
        shared = CollectorRegistry()
        MultiProcessCollector(shared)  # type: ignore[no-untyped-call]  # it has no annotations
        registry = shared
    response = Response(generate_latest(registry) + generate_latest(ready))
    response.headers["Content-Type"] = CONTENT_TYPE_LATEST
    response.headers["Cache-Control"] = "no-store"
    return response


def make_blueprint(settings: Settings, database: Database, clock: Clock) -> Blueprint:
    """Return the blueprint of `/healthz`, `/readyz` and `/metrics`."""
    blueprint = Blueprint("operations", __name__)

    @blueprint.get("/healthz")
    def healthz() -> Response:
        return process()

    @blueprint.get("/readyz")
    def readyz() -> Response:
        return ready(database, clock)

    @blueprint.get("/metrics")
    def show_metrics() -> Response:
        admit_operator(settings.metrics_token)
        return exposition(database, clock)

    return blueprint
