"""The gate of the JSON API: key, then budget, then scope, for every address below it."""

from collections.abc import Mapping
from functools import partial

from flask import Request, g
from flask.globals import request_ctx

from pms.access.find_key import KnownKey, find_key
from pms.foundation.errors import ScopeLacking, Unauthenticated
from pms.rules.enumerations import Scope
from pms.surfaces.limits import spend
from pms.surfaces.request_scope import ask_across_workspaces

ROOT = "/api/agent"
_SCHEME = "bearer "


def known_key() -> KnownKey:
    """Return the key this request came with."""
    key: KnownKey = g.known_key
    return key


def enter(needed: Mapping[str, Scope]) -> None:
    """Let a request in or raise why not (specification, Authentication 1 and 4; Limits).

    Unknown addresses below the root pass the same gate, so that only a key learns of them.
    """
    # The request itself: each step through its proxy costs a third of a microsecond.
    asked: Request = request_ctx.request
    path = asked.path
    if not path.startswith(ROOT) or path[len(ROOT) :][:1] not in ("", "/"):
        return
    key = ask_across_workspaces(partial(find_key, presented=_bearer(asked)))
    if key is None:
        raise Unauthenticated("Authorization: this key is not known here.")
    g.known_key, g.workspace_id = key, key.workspace_id
    spend(key.id, key.budget_per_hour)
    scope = needed.get(asked.endpoint or "")
    if scope is not None and scope not in key.scopes:
        raise ScopeLacking(f"This key lacks the scope {scope}.")


def _bearer(asked: Request) -> str:
    given: str = asked.environ.get("HTTP_AUTHORIZATION", "")
    if given[: len(_SCHEME)].lower() != _SCHEME:
        raise Unauthenticated("Authorization: 'Bearer <key>' is missing.")
    return given[len(_SCHEME) :].strip()
