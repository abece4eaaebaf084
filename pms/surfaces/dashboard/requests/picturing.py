"""Adds pictures to a report."""

from pms.surfaces.dashboard.routes import MAINTENANCE, PHOTO_BYTES, dashboard
from flask import Response, url_for
from flask_babel import gettext as _

from pms.surfaces.dashboard.desk import reading, submitted
from pms.surfaces.dashboard.requests.picture_form import PicturesForm
from pms.surfaces.dashboard.requests.request import shown
from pms.surfaces.dashboard.requests.taken_photos import sent
from pms.surfaces.hypermedia import go
from pms.upkeep.request_record import request_record
from pms.upkeep.upkeep_photos import REQUEST


@dashboard.post("/requests/<request_id>/photos", roles=MAINTENANCE, most_bytes=PHOTO_BYTES)
def add_request_photos(request_id: str) -> Response:
    """Keep the pictures and show the report."""
    found, form = request_record(reading(), request_id), PicturesForm(sent())
    return submitted(
        form,
        act=lambda session: form.keep(session, (REQUEST, found.id)),
        then=lambda count: go(
            url_for("dashboard.request", request_id=request_id),
            said=_("Photos added: %(count)s.", count=count),
        ),
        again=lambda: shown(request_id, form),
    )
