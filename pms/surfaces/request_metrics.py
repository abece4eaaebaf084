"""Counts requests and their time for `/metrics`; over several workers the counts add up."""

from functools import lru_cache

from prometheus_client import Counter, Histogram

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_REQUESTS = Counter(
    "pms_requests", "Answered requests by route, method and status.", ("route", "method", "status")
)
_SECONDS = Histogram(
    "pms_request_seconds",
    "Time from the first hook to the finished answer, by route.",
    ("route",),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)


def count(route: str, method: str, status: int, seconds: float) -> None:
    """Count one answer; routes, not paths, so that the number of series stays bounded."""
    counter, histogram = _series(route, method if method in _METHODS else "other", status)
    counter.inc()
    histogram.observe(seconds)


@lru_cache(maxsize=4096)
def _series(route: str, method: str, status: int) -> tuple[Counter, Histogram]:
    return _REQUESTS.labels(route, method, str(status)), _SECONDS.labels(route)
