"""What a browser asks for before it sends the taps that waited, and takes back of those it sent."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from flask import Response, jsonify
from flask_wtf.csrf import generate_csrf

from pms.foundation.errors import Refused
from pms.foundation.sent_once import is_new
from pms.surfaces.dashboard.desk import actor, clock, desk
from pms.surfaces.dashboard.offline.copies import holder
from pms.surfaces.dashboard.tasks.taps import key_of_tap
from pms.surfaces.hypermedia import UNACCEPTED
from pms.surfaces.refusal_wording import said
from pms.surfaces.request_scope import database


@dashboard.get("/sync", roles=EVERYBODY)
def sync() -> Response:
    """Answer with the token that forms of today carry, and with whose taps they would be."""
    return jsonify(token=generate_csrf(), holder=holder())


@dashboard.post("/sync/withdrawals", roles=EVERYBODY)
def withdraw_tap() -> Response:
    """Let a tap whose answer never came count for nothing, unless it arrived after all.

    Its key is taken: what is still under way under it changes nothing when it comes.
    """
    key = key_of_tap()
    try:
        taken = database().write(
            desk().workspace_id, lambda session: is_new(session, clock(), actor(), key)
        )
    except Refused as problem:
        response = jsonify(error=said(problem))
        response.status_code = UNACCEPTED
        return response
    return jsonify(withdrawn=taken)
