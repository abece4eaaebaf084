"""The API key of a request and its budget, counted by Flask-Limiter and shown in headers."""

from functools import partial
from typing import Final

from flask import Flask, Response, g, request
from flask_limiter import Limit, Limiter, RequestLimit
from limits import RateLimitItem
from limits.strategies import STRATEGIES, MovingWindowRateLimiter

from pms.access.key_lookup import KnownKey, find_key
from pms.foundation.budget import KEYS, storage_uri
from pms.foundation.budget.rolling_window import BudgetResult, RollingWindowStorage, microseconds_of
from pms.foundation.clock import Clock
from pms.foundation.errors import TooMany, Unauthenticated
from pms.foundation.settings import Settings
from pms.surfaces.request_scope import ask_across_workspaces

API_ROOT: Final = "/api/agent"
_ENDPOINTS_WITH_KEY: Final = ("webhooks.ota_messages",)
_STRATEGY: Final = "rolling-window"
_SCHEME: Final = "bearer "


class RollingWindow(MovingWindowRateLimiter):
    """A moving window that also counts refused requests and keeps its result for the headers.

    The size of the budget is not part of the bucket, so raising it keeps the history.
    """

    storage: RollingWindowStorage

    def hit(self, item: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        """Count a request; the identifiers are the key's id and the scope."""
        bucket = "/".join(reversed(identifiers))
        standing = self.storage.spend(bucket, item.amount, item.get_expiry())
        g.budget_standing = standing
        return standing.passed


STRATEGIES[_STRATEGY] = RollingWindow


def install(app: Flask, settings: Settings, clock: Clock) -> None:
    """Count every request that needs an API key, before any other check."""
    budget = Limit(_budget_of_key, key_function=_id_of_key, scope=KEYS, shared=True)
    make_limiter(settings, clock, budget).init_app(app)
    app.after_request(add_headers)


def make_limiter(settings: Settings, clock: Clock, *default_limits: Limit) -> Limiter:
    """Return a limiter that uses the storage named in the settings."""
    return Limiter(
        key_func=_id_of_key,
        default_limits=list(default_limits),
        storage_uri=storage_uri(settings),
        storage_options={"now_us": microseconds_of(clock)},  # type: ignore[dict-item]
        strategy=_STRATEGY,
        on_breach=_refuse_breach,
        # An unknown address has no endpoint; its requests are counted too.
        request_identifier=lambda: request.endpoint or "unknown",
    )


def add_headers(response: Response) -> Response:
    """Add the budget headers to an answer whose request was counted."""
    standing: BudgetResult | None = g.get("budget_standing")
    if standing is not None:
        response.headers["RateLimit-Limit"] = str(standing.limit)
        response.headers["RateLimit-Remaining"] = str(standing.remaining)
        response.headers["RateLimit-Reset"] = str(standing.reset_seconds)
        if standing.retry_after_seconds is not None:
            response.headers["Retry-After"] = str(standing.retry_after_seconds)
    return response


def is_below_api_root() -> bool:
    """Whether the path is that of the JSON API or below it, known or not."""
    path = request.path
    return path.startswith(API_ROOT) and path[len(API_ROOT) :][:1] in ("", "/")


def known_key() -> KnownKey:
    """Return the request's API key; raise `Unauthenticated` if it is missing or not valid."""
    if "known_key" not in g:
        given = request.headers.get("Authorization", "")
        if given[: len(_SCHEME)].lower() != _SCHEME:
            raise Unauthenticated("Authorization: 'Bearer <key>' is missing.")
        key = ask_across_workspaces(partial(find_key, presented=given[len(_SCHEME) :].strip()))
        if key is None:
            raise Unauthenticated("Authorization: this key is not known here.")
        g.known_key, g.workspace_id = key, key.workspace_id
    found: KnownKey = g.known_key
    return found


def _id_of_key() -> str:
    return known_key().id


def _budget_of_key() -> str:
    """Return the limit of the request; empty for an address that needs no key."""
    if is_below_api_root() or request.endpoint in _ENDPOINTS_WITH_KEY:
        return f"{known_key().budget_per_hour}/hour"
    return ""


def _refuse_breach(_: RequestLimit) -> None:
    standing: BudgetResult = g.budget_standing
    seconds = standing.retry_after_seconds or 0
    raise TooMany(
        f"Request budget exceeded: {standing.limit} requests an hour for this key. "
        f"Try again in {seconds} seconds; every attempt counts.",
        seconds,
    )
