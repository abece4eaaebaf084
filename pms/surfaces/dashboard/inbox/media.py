"""Hands out a picture or a file that came with a message, to the office alone."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Final
from urllib.parse import quote

from flask import Response, abort

from pms.channels.message_files import message_file as message_file_verb
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.request_scope import files

_ANYTHING: Final = "application/octet-stream"


@dashboard.get("/messages/<guest_message_id>/file", roles=OFFICE)
def message_file(guest_message_id: str) -> Response:
    """Show a picture in the browser; anything else is saved, never opened on this site."""
    file = message_file_verb(reading(), guest_message_id)
    content = files().get(file.key)
    if content is None:
        abort(404)
    if file.is_picture:
        return _answer(content, file.media_type, "inline")
    return _answer(content, _ANYTHING, f"attachment; filename*=UTF-8''{quote(file.name)}")


def _answer(content: bytes, media_type: str, disposition: str) -> Response:
    headers = {
        "Content-Type": media_type,
        "Content-Disposition": disposition,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return Response(content, headers=headers)
