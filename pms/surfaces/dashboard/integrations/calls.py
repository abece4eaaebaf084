"""Has a call that failed made again."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from flask import Response, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.foundation.waiting_calls import make_call_again as make_call_again_verb
from pms.surfaces.dashboard.desk import clock, submitted
from pms.surfaces.dashboard.integrations import providers
from pms.surfaces.hypermedia import go


@dashboard.post("/provider-calls/<call_id>", roles=OPERATOR)
def make_call_again(call_id: str) -> Response:
    """Make it at once; the worker takes it within seconds."""
    return submitted(
        Form(),
        act=lambda session: make_call_again_verb(session, clock(), call_id),
        then=lambda _none: go(url_for("dashboard.integrations"), said=_("It is tried again now.")),
        again=providers.integrations,
    )
