"""The gate of the JSON API: key, then budget, then scope, for every address below it.

Flask-Limiter has found the key and counted its budget before (`pms/surfaces/limits.py`), for unknown
addresses below the root too, so that only a key learns of them.
"""

from typing import Final

from flask import Flask, Response, g, request

from pms.access.keys import KnownKey
from pms.foundation.errors import ScopeLacking
from pms.foundation.last_calls import LastCalls
from pms.surfaces.agent_api.blueprint import ROOT, blueprint
from pms.surfaces.limits import is_below_api_root, known_key
from pms.surfaces.request_log import seconds_since_begun

_UNKNOWN_PATH: Final = "?"
_LONGEST_METHOD: Final = 10


def enter() -> None:
    """Let a request in or raise why not (specification, Authentication 1 and 4; Limits)."""
    address = blueprint.addresses.get(request.endpoint or "")
    if address is None:
        return
    if address.scope not in known_key().scopes:
        raise ScopeLacking(f"This key lacks the scope {address.scope}.")
    if address.most_bytes is not None:
        request.max_content_length = request.max_form_memory_size = address.most_bytes


def note_calls(app: Flask, calls: LastCalls) -> None:
    """Note each call of a known key once its answer is ready, by the path of its route."""

    @app.after_request
    def note(response: Response) -> Response:
        key: KnownKey | None = g.get("known_key")
        if key is not None and is_below_api_root():
            address = blueprint.addresses.get(request.endpoint or "")
            path = ROOT + address.path if address else _UNKNOWN_PATH
            method, seconds = request.method[:_LONGEST_METHOD], seconds_since_begun()
            calls.note(key.id, method, path, response.status_code, seconds)
        return response
