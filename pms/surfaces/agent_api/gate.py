"""The blueprint of the JSON API and its gate: key, then budget, then scope, for every address below it.

Each route names the scope it requires:

    @blueprint.get("/properties", scope=Scope.PROPERTIES_READ)
    def list_properties() -> Response: ...

Flask-Limiter has checked the key and its budget before (`pms/surfaces/limits.py`), also for unknown
addresses below the root, so that only a caller with a key can tell which addresses exist.
"""

from functools import partial
from typing import Final, NamedTuple

from flask import Flask, Response, g, request

from pms.access.key_lookup import KnownKey, keys_of_origin
from pms.foundation.budget.rolling_window import BudgetUnavailable
from pms.foundation.errors import (
    Collision,
    NotFound,
    Problem,
    Refused,
    ScopeLacking,
    StoredUnreadable,
    TooMany,
    Unauthenticated,
)
from pms.foundation.last_calls import LastCalls
from pms.rules.enumerations import Scope
from pms.surfaces import cookie_sessions
from pms.surfaces.agent_api.answers import to_json
from pms.surfaces.cookie_sessions import CheckedBlueprint
from pms.surfaces.hypermedia import error_page
from pms.surfaces.limits import API_ROOT, is_below_api_root, known_key
from pms.surfaces.request_log import seconds_since_begun
from pms.surfaces.request_scope import ask_across_workspaces

_UNKNOWN_PATH: Final = "?"
_LONGEST_METHOD: Final = 10
NAMED_BY: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"
_A_DAY: Final = "86400"
_READABLE_HEADERS: Final = (
    "ETag",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "X-Request-Id",
    REPLAYED,
)
_READABLE: Final = ("Access-Control-Expose-Headers", ", ".join(_READABLE_HEADERS))
_MAY_BE_SENT: Final = (
    ("Access-Control-Allow-Methods", "GET, HEAD, POST"),
    (
        "Access-Control-Allow-Headers",
        f"Authorization, Content-Type, {NAMED_BY}, If-None-Match, X-Request-Id",
    ),
    ("Access-Control-Max-Age", _A_DAY),
)


class ApiRouteCheck(NamedTuple):
    """The scope that a route requires, and its largest body in bytes, if not the default."""

    scope: Scope
    most_bytes: int | None = None


# A doubled slash is another address, which gets 404 instead of a redirect.
blueprint = CheckedBlueprint(
    "agent_api", __name__, ApiRouteCheck, {"merge_slashes": False}, url_prefix=API_ROOT
)
cookie_sessions.exempt_from_tokens(blueprint)


def enter() -> None:
    """Refuse a key without the route's scope (specification, Authentication 1 and 4; Limits)."""
    if request.blueprint != blueprint.name:
        return
    check = blueprint.checks[(request.endpoint or "").removeprefix(f"{blueprint.name}.")]
    if check.scope not in known_key().scopes:
        raise ScopeLacking(f"This key lacks the scope {check.scope}.")
    if check.most_bytes is not None:
        request.max_content_length = request.max_form_memory_size = check.most_bytes


def note_calls(app: Flask, calls: LastCalls) -> None:
    """Record each call of a known key after its answer, by the path of its route."""

    @app.after_request
    def note(response: Response) -> Response:
        key: KnownKey | None = g.get("known_key")
        if key is not None and is_below_api_root():
            path = request.url_rule.rule if request.url_rule else _UNKNOWN_PATH
            method, seconds = request.method[:_LONGEST_METHOD], seconds_since_begun()
            calls.note(key.id, method, path, response.status_code, seconds)
        return response


def allow_origins_of_keys(app: Flask) -> None:
    """Let pages of other origins call the API with keys that name their origin (CORS).

    Cookies are ignored there, and no answer allows browsers to send them.
    """

    @app.before_request
    def answer_preflight() -> Response | None:
        origin = request.headers.get("Origin")
        if origin is None or not is_below_api_root():
            return None
        g.keys_of_origin = ask_across_workspaces(partial(keys_of_origin, origin=origin))
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            # It has no key, so it is not counted; it is the same for every address, known or not.
            allowed = _MAY_BE_SENT if g.keys_of_origin else ()
            return Response(status=204, headers=[*allowed], mimetype="application/json")
        return None

    @app.after_request
    def let_read(response: Response) -> Response:
        if not is_below_api_root():
            return response
        response.vary.add("Origin")
        keys: frozenset[str] = g.get("keys_of_origin", frozenset())
        key: KnownKey | None = g.get("known_key")
        # A refused key is named by nobody: a page may read the 401 if it may use any key.
        if keys and (key is None or key.id in keys):
            allowed = ("Access-Control-Allow-Origin", request.headers["Origin"])
            response.headers.update((allowed, _READABLE))
        return response


_STATUS: dict[type[Problem], int] = {
    Refused: 400,
    Unauthenticated: 401,
    ScopeLacking: 403,
    NotFound: 404,
    Collision: 409,
    TooMany: 429,
    BudgetUnavailable: 503,
}


@blueprint.app_errorhandler(Problem)
def answer_problem(problem: Problem) -> Response:
    """Answer a problem raised anywhere: as JSON under /api, as a page elsewhere."""
    status = next(_STATUS[kind] for kind in type(problem).__mro__ if kind in _STATUS)
    if not request.path.startswith("/api/"):
        kind = "unreadable" if isinstance(problem, StoredUnreadable) else None
        return error_page(status, kind=kind)
    response = Response(to_json({"error": problem.message}), status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    if isinstance(problem, BudgetUnavailable | TooMany):
        response.headers["Retry-After"] = str(problem.retry_after_seconds)
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response
