"""Takes a report out of its project."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.surfaces.dashboard.desk import actor, clock, submitted
from pms.surfaces.dashboard.requests.picture_form import PicturesForm
from pms.surfaces.dashboard.requests.request import shown
from pms.surfaces.hypermedia import go
from pms.upkeep.unfold_request import unfold_request as unfold_request_verb


@dashboard.post("/requests/<request_id>/unfolding", roles=MAINTENANCE)
def unfold_request(request_id: str) -> Response:
    """Put it back among the open ones."""
    form = Form()
    return submitted(
        form,
        act=lambda session: unfold_request_verb(session, clock(), actor(), request_id=request_id),
        then=lambda _none: go(
            url_for("dashboard.request", request_id=request_id),
            said=_("The report is no longer part of the project."),
        ),
        again=lambda: _refused(request_id, form),
    )


def _refused(request_id: str, form: Form) -> Response:
    pictures = PicturesForm()
    pictures.form_errors = form.form_errors
    return shown(request_id, pictures)
