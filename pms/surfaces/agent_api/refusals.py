"""Words every refusal of the JSON API as one field, `error`, with its status code."""

from flask import Blueprint, Response, request

from pms.foundation.budget import BudgetUnavailable
from pms.foundation.errors import (
    Collision,
    NotFound,
    Problem,
    Refused,
    ScopeLacking,
    TooMany,
    Unauthenticated,
)
from pms.surfaces.agent_api.answers import to_json
from pms.surfaces.hypermedia import error_page

_STATUS: dict[type[Problem], int] = {
    Refused: 400,
    Unauthenticated: 401,
    ScopeLacking: 403,
    NotFound: 404,
    Collision: 409,
    TooMany: 429,
    BudgetUnavailable: 503,
}


def status_of(problem: Problem) -> int:
    """Return the status code of a refusal (specification, Errors)."""
    return next(_STATUS[kind] for kind in type(problem).__mro__ if kind in _STATUS)


def bind_refusals(blueprint: Blueprint) -> None:
    """Answer refusals raised anywhere: as JSON under /api, as a page elsewhere."""
    blueprint.app_errorhandler(Problem)(_answer)


def _answer(problem: Problem) -> Response:
    status = status_of(problem)
    if not request.path.startswith("/api/"):
        return error_page(status)
    response = Response(to_json({"error": problem.message}), status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    if isinstance(problem, BudgetUnavailable | TooMany):
        response.headers["Retry-After"] = str(problem.retry_after_seconds)
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response
