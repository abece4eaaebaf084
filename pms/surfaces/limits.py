"""Spends the request budget of an API key by Flask-Limiter and tells the client what is left."""

from typing import cast

from flask import Flask, Response, current_app, g
from flask_limiter import Limiter

from pms.foundation.budget import (
    RollingWindow,
    Standing,
    storage_uri,
)
from pms.foundation.budget.rolling_window import microseconds_of
from pms.foundation.budget.storages import STRATEGY
from pms.foundation.clock import Clock
from pms.foundation.errors import TooMany
from pms.foundation.settings import Settings

EXTENSION = "request_budget"


def bind_limits(app: Flask, settings: Settings, clock: Clock) -> None:
    """Give the application its limiter, with the storage the settings ask for."""
    limiter = Limiter(
        key_func=_no_default_key, storage_uri=storage_uri(settings), strategy=STRATEGY
    )
    # Listed beforehand, the limiter leaves its request hooks out: they cost as much as a whole
    # bare route on every request, and this program asks by `spend` alone.
    app.extensions.setdefault("limiter", set()).add(limiter)
    limiter.init_app(app)
    strategy = cast(RollingWindow, limiter.limiter)
    strategy.rolling_storage.now_us = microseconds_of(clock)
    app.extensions[EXTENSION] = strategy


def budget() -> RollingWindow:
    """Return what counts the requests of the application."""
    strategy: RollingWindow = current_app.extensions[EXTENSION]
    return strategy


def spend(key_id: str, per_hour: int) -> None:
    """Count this request against the key's budget; raise `TooMany` when that is spent."""
    stand(budget().spend(key_id, per_hour))


def stand(standing: Standing) -> None:
    """Have the answer tell of a request that was counted; raise `TooMany` if it did not pass."""
    g.budget_standing = standing
    if standing.retry_after_seconds is not None:
        raise TooMany(
            f"Request budget exceeded: {standing.limit} requests an hour for this key. "
            f"Try again in {standing.retry_after_seconds} seconds; every attempt counts.",
            standing.retry_after_seconds,
        )


def apply_headers(response: Response) -> Response:
    """Tell the budget on the answer of a request that `spend` counted."""
    standing: Standing | None = g.get("budget_standing")
    if standing is not None:
        response.headers["RateLimit-Limit"] = str(standing.limit)
        response.headers["RateLimit-Remaining"] = str(standing.remaining)
        response.headers["RateLimit-Reset"] = str(standing.reset_seconds)
        if standing.retry_after_seconds is not None:
            response.headers["Retry-After"] = str(standing.retry_after_seconds)
    return response


def _no_default_key() -> str:
    """Nothing is limited by default; `spend` names the key."""
    return ""
