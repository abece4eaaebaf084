"""The handbook of the project's building and unit; a code is shown by tap, and the tap is noted."""

from flask import Response, url_for
from wtforms import Form

from pms.catalogue.handbook_copy import handbook_copy, reveal_copied_code
from pms.surfaces.contractor_links.holder import clock, holder, reading, shown, submitted


def show() -> Response:
    """Show the pages, none of them with its code."""
    return _shown()


def reveal(page_id: str) -> Response:
    """Show the pages, one of them with its code."""
    project, reader = holder().project(), holder().reader()
    return submitted(
        Form(),
        act=lambda session: reveal_copied_code(
            session,
            clock(),
            holder().actor,
            page_id=page_id,
            building_id=project.building_id,
            reader=reader,
        ),
        then=lambda code: _shown(page_id, code),
        again=_shown,
    )


def _shown(page_id: str | None = None, code: str | None = None) -> Response:
    project = holder().project()
    copy = handbook_copy(reading(), building_id=project.building_id, reader=holder().reader())
    return shown(
        "handbook",
        project=project,
        pages=copy,
        revealed=page_id,
        code=code,
        here=url_for("contractor_links.handbook"),
    )
