"""Writes the metrics of all web workers, and how the worker is, in Prometheus' text format."""

from collections.abc import Iterator

from flask import Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector
from prometheus_client.values import MutexValue, ValueClass

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.readiness import readiness


class Readiness(Collector):
    """What `/readyz` says, as figures to draw and to raise an alarm on."""

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
    """Return the figures of every web worker of this server added up."""
    ready = CollectorRegistry()
    ready.register(Readiness(database, clock))
    response = Response(generate_latest(_counts()) + generate_latest(ready))
    response.headers["Content-Type"] = CONTENT_TYPE_LATEST
    response.headers["Cache-Control"] = "no-store"
    return response


def _counts() -> CollectorRegistry:
    """The library keeps counts in files for all workers when told so before its first import."""
    if ValueClass is MutexValue:
        return REGISTRY
    shared = CollectorRegistry()
    MultiProcessCollector(shared)  # type: ignore[no-untyped-call]  # it has no annotations
    return shared
