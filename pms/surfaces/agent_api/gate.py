"""The gate of the JSON API: key, then budget, then scope, for every address below it."""

from functools import partial
from typing import Final

from flask import Flask, Response, g, request

from pms.access.keys import KnownKey, find_key
from pms.foundation.errors import ScopeLacking, Unauthenticated
from pms.foundation.last_calls import LastCalls
from pms.surfaces.agent_api.routes import ROOT, blueprint
from pms.surfaces.limits import budget, stand
from pms.surfaces.request_log import seconds_since_begun
from pms.surfaces.request_scope import database

_SCHEME = "bearer "
_UNKNOWN_PATH: Final = "?"
_LONGEST_METHOD: Final = 10


def known_key() -> KnownKey:
    """Return the key this request came with."""
    key: KnownKey = g.known_key
    return key


def enter() -> None:
    """Let a request in or raise why not (specification, Authentication 1 and 4; Limits).

    Unknown addresses below the root pass the same gate, so that only a key learns of them.
    """
    path = request.path
    if not path.startswith(ROOT) or path[len(ROOT) :][:1] not in ("", "/"):
        return
    key = database().ask_across_workspaces(partial(find_key, presented=_bearer()))
    if key is None:
        raise Unauthenticated("Authorization: this key is not known here.")
    standing = budget().spend(key.id, key.budget_per_hour)
    g.known_key, g.workspace_id = key, key.workspace_id
    stand(standing)
    address = blueprint.addresses.get(request.endpoint or "")
    if address is None:
        return
    if address.scope not in key.scopes:
        raise ScopeLacking(f"This key lacks the scope {address.scope}.")
    if address.most_bytes is not None:
        request.max_content_length = request.max_form_memory_size = address.most_bytes


def note_calls(app: Flask, calls: LastCalls) -> None:
    """Note each call of a known key once its answer is ready, by the path of its route."""

    @app.after_request
    def note(response: Response) -> Response:
        key: KnownKey | None = g.get("known_key")
        if key is not None:
            address = blueprint.addresses.get(request.endpoint or "")
            path = ROOT + address.path if address else _UNKNOWN_PATH
            method, seconds = request.method[:_LONGEST_METHOD], seconds_since_begun()
            calls.note(key.id, method, path, response.status_code, seconds)
        return response


def _bearer() -> str:
    given = request.headers.get("Authorization", "")
    if given[: len(_SCHEME)].lower() != _SCHEME:
        raise Unauthenticated("Authorization: 'Bearer <key>' is missing.")
    return given[len(_SCHEME) :].strip()
