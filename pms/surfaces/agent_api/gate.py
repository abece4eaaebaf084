"""The gate of the JSON API: key, then budget, then scope, for every address below it."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from flask import Request, g
from flask.globals import request_ctx

from pms.access.keys import KnownKey, find_key
from pms.foundation.budget import RollingWindow, Standing
from pms.foundation.database import Database
from pms.foundation.errors import Problem, ScopeLacking, Unauthenticated
from pms.rules.enumerations import Scope
from pms.surfaces.limits import budget, stand
from pms.surfaces.request_scope import database

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

ROOT = "/api/agent"
_SCHEME = "bearer "
_ADMISSION = "pms.agent_api.admission"


class Admission(NamedTuple):
    """The key a request came with, and what counting the request told."""

    key: KnownKey
    standing: Standing


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
    key, standing = admit(asked.environ, database(), budget())
    g.known_key, g.workspace_id = key, key.workspace_id
    stand(standing)
    scope = needed.get(asked.endpoint or "")
    if not reaches(key, scope):
        raise ScopeLacking(f"This key lacks the scope {scope}.")


def admit(environ: "WSGIEnvironment", found_in: Database, counted_by: RollingWindow) -> Admission:
    """Find the key of a request and count the request; raise why not.

    Whoever asks again about the same request is told the same: it is counted once.
    """
    met: Admission | Problem | None = environ.get(_ADMISSION)
    if met is None:
        try:
            met = _met(environ, found_in, counted_by)
        except Problem as problem:
            met = problem
        environ[_ADMISSION] = met
    if isinstance(met, Problem):
        raise met
    return met


def reaches(key: KnownKey, scope: Scope | None) -> bool:
    """Tell whether a key may ask at an address that takes a scope, or takes none."""
    return scope is None or scope in key.scopes


def _met(environ: "WSGIEnvironment", found_in: Database, counted_by: RollingWindow) -> Admission:
    key = found_in.ask_across_workspaces(partial(find_key, presented=_bearer(environ)))
    if key is None:
        raise Unauthenticated("Authorization: this key is not known here.")
    return Admission(key, counted_by.spend(key.id, key.budget_per_hour))


def _bearer(environ: "WSGIEnvironment") -> str:
    given: str = environ.get("HTTP_AUTHORIZATION", "")
    if given[: len(_SCHEME)].lower() != _SCHEME:
        raise Unauthenticated("Authorization: 'Bearer <key>' is missing.")
    return given[len(_SCHEME) :].strip()
