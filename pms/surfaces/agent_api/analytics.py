"""The endpoint by which websites report visits; its input is read in `analytics_body.py`."""

from flask import Response

from pms.site.take_telemetry import take_telemetry
from pms.surfaces.agent_api.analytics_body import read_events
from pms.surfaces.agent_api.writing import written
from pms.surfaces.request_scope import clock

_ACCEPTED = 202


def report_visits() -> Response:
    """Take in events; one that cannot be read refuses all."""
    events = read_events(clock().now())
    return written(
        lambda session: {"accepted": take_telemetry(session, clock(), events=events)}, _ACCEPTED
    )
