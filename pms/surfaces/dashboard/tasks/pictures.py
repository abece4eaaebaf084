"""Keeps pictures of a task, takes one away, and shows those of upkeep to whom they are for."""

from pms.surfaces.dashboard.routes import EVERYBODY, PHOTO_BYTES, dashboard
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import CombinedMultiDict
from wtforms import Form

from pms.catalogue.photo_sizes import WIDTHS
from pms.foundation.errors import NotFound
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted
from pms.surfaces.dashboard.photos.photos_form import PhotosForm
from pms.surfaces.dashboard.tasks.own_reach import own_photos, own_reach
from pms.surfaces.dashboard.tasks.taps import key_of_tap, tapped
from pms.surfaces.dashboard.tasks.task import shown
from pms.surfaces.dashboard.tasks.writing import standing
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import files
from pms.upkeep.add_upkeep_photo import add_upkeep_photo
from pms.upkeep.remove_upkeep_photo import remove_upkeep_photo
from pms.upkeep.task_record import task_record
from pms.upkeep.upkeep_photos import TASK, upkeep_photo_file

# A picture never changes under its address; only whoever was shown it keeps it.
_KEPT: Final = "private, max-age=604800, immutable"


@dashboard.post("/tasks/<task_id>/photos", roles=EVERYBODY, most_bytes=PHOTO_BYTES)
def add_task_photos(task_id: str) -> Response:
    """Keep the pictures that were chosen; each is sized before anything is written."""
    form = PhotosForm(CombinedMultiDict((request.files, request.form)), files=files())
    key = key_of_tap()

    def act(session: WorkspaceSession) -> dict[str, Any]:
        task_record(session, task_id, own_reach())
        for number, sized in enumerate(form.sized):
            add_upkeep_photo(
                session,
                clock(),
                actor(),
                subject=(TASK, task_id),
                sized=sized,
                key=f"{key} {number}" if key else None,
            )
        return standing(session, task_id)

    return tapped(
        form,
        act,
        lambda _told: go(_home(task_id), said=_("Photos added.")),
        lambda form: shown(task_id, form),
        lambda told: told,
    )


@dashboard.post("/tasks/<task_id>/photos/<upkeep_photo_id>/removal", roles=EVERYBODY)
def remove_task_photo(task_id: str, upkeep_photo_id: str) -> Response:
    """Take a picture away: one's own, or as the office anybody's."""
    task_record(reading(), task_id, own_reach())
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: remove_upkeep_photo(
            session,
            clock(),
            actor(),
            photo_id=upkeep_photo_id,
            may_remove_others=desk().is_office,
        ),
        then=lambda _subject: go(_home(task_id), said=_("Photo removed.")),
        again=lambda: shown(task_id, form),
    )


@dashboard.get("/upkeep-photos/<upkeep_photo_id>/<int:width>", roles=EVERYBODY)
def upkeep_photo(upkeep_photo_id: str, width: int) -> Response:
    """Show a picture of upkeep in one of its widths."""
    key = upkeep_photo_file(reading(), upkeep_photo_id, width, own_photos())
    content = files().get(key) if width in WIDTHS else None
    if content is None:
        raise NotFound("There is no picture '{photo_id}'.", photo_id=upkeep_photo_id[:60])
    response = Response(content, mimetype="image/webp")
    response.headers["Cache-Control"] = _KEPT
    return response


def _home(task_id: str) -> str:
    return url_for("dashboard.task", task_id=task_id, _anchor="photos")
