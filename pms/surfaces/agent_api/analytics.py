"""The endpoint by which websites report visits; its input is read in `analytics_body.py`."""

from functools import partial
from typing import Final

from flask import Response, request

from pms.site.take_telemetry import take_telemetry
from pms.surfaces.agent_api.analytics_body import read_events
from pms.surfaces.agent_api.answers import Answer, Ready
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.agent_api.writing import NAMED_BY, written
from pms.surfaces.request_scope import clock, database

_ACCEPTED: Final = 202
_AS_JSON: Final = ("Content-Type", "application/json")
_KEPT_BY_NOBODY: Final = ("Cache-Control", "no-store")


def report_visits() -> Response:
    """Take in events; one that cannot be read refuses all."""
    now = clock()
    events = read_events(now.now())
    if NAMED_BY not in request.headers:
        # Reports come all day long: only the first of a day needs a session.
        taken = partial(take_telemetry, clock=now, events=events)
        return _answer(database().write_quickly(known_key().workspace_id, taken))
    return written(
        lambda session: {"accepted": take_telemetry(session, now, events=events)}, _ACCEPTED
    )


def _answer(accepted: int) -> Response:
    body = b'{"ok":true,"data":{"accepted":%d}}' % accepted
    length = ("Content-Length", str(len(body)))
    return Answer(Ready(_ACCEPTED, body, (_AS_JSON, length, _KEPT_BY_NOBODY)))
