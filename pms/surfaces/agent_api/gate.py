"""The gate of the JSON API: key, then budget, then scope, for every address below it.

Flask-Limiter has checked the key and its budget before (`pms/surfaces/limits.py`), also for unknown
addresses below the root, so that only a caller with a key can tell which addresses exist.
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
    """Refuse a key without the address's scope (specification, Authentication 1 and 4; Limits)."""
    address = blueprint.addresses.get(request.endpoint or "")
    if address is None:
        return
    if address.scope not in known_key().scopes:
        raise ScopeLacking(f"This key lacks the scope {address.scope}.")
    if address.most_bytes is not None:
        request.max_content_length = request.max_form_memory_size = address.most_bytes


def note_calls(app: Flask, calls: LastCalls) -> None:
    """Record each call of a known key after its answer, by the path of its route."""

    @app.after_request
    def note(response: Response) -> Response:
        key: KnownKey | None = g.get("known_key")
        if key is not None and is_below_api_root():
            address = blueprint.addresses.get(request.endpoint or "")
            path = ROOT + address.path if address else _UNKNOWN_PATH
            method, seconds = request.method[:_LONGEST_METHOD], seconds_since_begun()
            calls.note(key.id, method, path, response.status_code, seconds)
        return response
