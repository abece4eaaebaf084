"""Give every answer a request id and write one log line for it, cheaply and without secrets.

The line is built by hand: a chain of log processors would cost more than the rest of an unchanged
poll. Query strings are never written, because they contain email addresses.
"""

import contextlib
import logging
import re
import sys
from functools import lru_cache, partial
from http import HTTPStatus
from time import perf_counter

import msgspec
from flask import Flask, Request, Response, g, has_request_context, request
from prometheus_client import Counter, Histogram

from pms.foundation import logs
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.logs import mask_secrets
from pms.foundation.settings import Settings

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
    """Count one answer by its route, not its path, so that the number of series stays bounded."""
    counter, histogram = _find_series(route, method if method in _METHODS else "other", status)
    counter.inc()
    histogram.observe(seconds)


@lru_cache(maxsize=4096)
def _find_series(route: str, method: str, status: int) -> tuple[Counter, Histogram]:
    return _REQUESTS.labels(route, method, str(status)), _SECONDS.labels(route)


REQUEST_ID_HEADER = "X-Request-Id"
_ID, _BEGAN = "pms.request_id", "pms.request_began"
_QUIET = "operations."  # probes come every few seconds; only their failures are told
# Arguments of a route that are credentials by themselves.
_SECRET_ARGUMENTS = frozenset({"token", "code", "secret"})
# In the path of an unknown route, a long word with a digit or capital may be a mistyped token.
_LONG_WORD = re.compile(r"(?<=/)(?![0-9a-f]{32}(?:/|$))(?=[^/]*[0-9A-Z])[^/]{20,}")
_MOST_PATH_CHARACTERS = 300
_is_sane_id = re.compile(r"[A-Za-z0-9._-]{8,64}").fullmatch


class RequestLogLine(msgspec.Struct, omit_defaults=True, tag="request", tag_field="event"):
    """The log line of one request; the field names are those of all other log lines."""

    timestamp: str
    method: str
    path: str
    status: int
    milliseconds: float
    request_id: str
    workspace: str = ""


class RequestLog:
    """Count the requests of an application and write a log line for each."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._clock = clock
        self._render = _machine_line if settings.is_production else _human_line

    def tell(self, request: Request, status: int, workspace: str) -> None:
        """Count and log a request that was answered."""
        seconds, method = seconds_since_begun(), request.method
        route = request.endpoint or "none"
        # The counts are in files shared by all workers; one that cannot grow must not fail the
        # answer.
        with contextlib.suppress(OSError):
            count(route, method, status, seconds)
        if status >= HTTPStatus.BAD_REQUEST or not route.startswith(_QUIET):
            at, milliseconds = self._clock.now().isoformat(), round(seconds * 1000, 2)
            number, path = request.environ[_ID], spoken_path(request)
            line = RequestLogLine(at, method, path, status, milliseconds, number, workspace)
            # A closed log must not turn good answers into errors.
            with contextlib.suppress(OSError, ValueError):
                sys.stdout.write(self._render(line))
                sys.stdout.flush()


def install(app: Flask, settings: Settings, clock: Clock) -> None:
    """Add the hooks; called before any other hook is added, so that they enclose all others."""
    app.before_request(_begin_request)
    app.after_request(partial(_end_request, RequestLog(settings, clock)))
    app.teardown_request(forget)
    app.logger.addFilter(_hide_path)


def seconds_since_begun() -> float:
    """Return the seconds since this request began, as in its log line."""
    began: float = request.environ[_BEGAN]
    return perf_counter() - began


def forget(_: BaseException | None = None) -> None:
    """Clear the request id, so that later log lines belong to no request."""
    logs.request_id.set("")


def spoken_path(request: Request) -> str:
    """Return a request's path for the log, without keys and tokens of links."""
    rule = request.url_rule
    if rule is None:
        return _LONG_WORD.sub("…", mask_secrets(request.path))[:_MOST_PATH_CHARACTERS]
    if not rule.arguments:
        return rule.rule  # the path contains nothing from the client
    if _SECRET_ARGUMENTS.isdisjoint(rule.arguments):
        return mask_secrets(request.path)[:_MOST_PATH_CHARACTERS]
    return rule.rule


def _begin_request() -> None:
    """Set the request's id and start time."""
    given = request.headers.get(REQUEST_ID_HEADER)
    request_id = given if given and _is_sane_id(given) else new_id()
    request.environ[_ID], request.environ[_BEGAN] = request_id, perf_counter()
    logs.request_id.set(request_id)
    g.request_id = request_id


def _end_request(log: RequestLog, response: Response) -> Response:
    response.headers[REQUEST_ID_HEADER] = request.environ[_ID]
    log.tell(request, response.status_code, g.get("workspace_id", ""))
    return response


_encode = msgspec.json.Encoder().encode


def _machine_line(line: RequestLogLine) -> str:
    return _encode(line).decode() + "\n"


def _human_line(line: RequestLogLine) -> str:
    path = line.path if line.path.isprintable() else repr(line.path)
    workspace = f" workspace={line.workspace}" if line.workspace else ""
    return (
        f"{line.timestamp} {line.method} {path} {line.status} {line.milliseconds} ms"
        f"{workspace} request_id={line.request_id}\n"
    )


def _hide_path(record: logging.LogRecord) -> bool:
    """Replace the path that Flask logs for a failed request by the one without secrets."""
    if has_request_context():
        record.msg = str(record.msg).replace(request.path, spoken_path(request))
    return True
