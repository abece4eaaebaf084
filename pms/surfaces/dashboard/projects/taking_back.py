"""Takes hours or a purchase back, and shows the project again."""

from collections.abc import Callable

from flask import Response, url_for
from wtforms import Form

from pms.surfaces.dashboard.desk import actor, clock, submitted
from pms.surfaces.dashboard.projects.project import shown
from pms.surfaces.hypermedia import go


def took_back(project_id: str, deed: Callable[..., None], said: str, **which: str) -> Response:
    """Do it and say so, or show the project with the reason why not."""
    form = Form()
    return submitted(
        form,
        act=lambda session: deed(session, clock(), actor(), project_id=project_id, **which),
        then=lambda _none: go(url_for("dashboard.project", project_id=project_id), said=said),
        again=lambda: shown(project_id, form),
    )
