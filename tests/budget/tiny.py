"""The smallest service that spends budgets: the key is the path, the budget the query."""

import os

from flask import Flask, Response, jsonify, request

from pms.foundation.budget import KEYS
from pms.foundation.budget.rolling_window import BudgetUnavailable
from pms.foundation.clock import Clock, SystemClock
from pms.foundation.errors import TooMany
from pms.foundation.settings import Settings
from pms.surfaces.limits import add_headers, make_limiter


def tiny_app(settings: Settings, clock: Clock) -> Flask:
    app = Flask("tiny")
    limiter = make_limiter(settings, clock)
    limiter.init_app(app)
    app.after_request(add_headers)
    by_key = limiter.shared_limit(
        lambda: f"{int(request.args['budget'])}/hour",
        scope=KEYS,
        key_func=lambda: (request.view_args or {})["key_id"],
    )

    @app.get("/free")
    def free() -> str:
        return "free"

    @app.get("/keys/<key_id>")
    @by_key
    def spending(key_id: str) -> str:
        return "passed"

    @app.errorhandler(TooMany)
    def refused(problem: TooMany) -> tuple[Response, int]:
        return jsonify(error=problem.message), 429

    @app.errorhandler(BudgetUnavailable)
    def unavailable(problem: BudgetUnavailable) -> tuple[Response, int, dict[str, str]]:
        headers = {"Retry-After": str(problem.retry_after_seconds)}
        return jsonify(error=problem.message), 503, headers

    return app


def serve() -> Flask:
    """What gunicorn loads, once in each worker."""
    return tiny_app(Settings.from_environment(os.environ), SystemClock())
