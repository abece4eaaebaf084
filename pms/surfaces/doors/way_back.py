"""Where someone goes after signing in: back to where they came from, on this site alone."""

from flask import Response, request, session, url_for

from pms.surfaces.hypermedia import go
from pms.surfaces.safe_path import safe_path

_BACK = "back"


def asked_way_back() -> str | None:
    """Return where this request wants to go on to: a page, or what was typed before."""
    kept = request.values.get("kept", "")
    if kept.isalnum():
        return url_for("doors.kept_text", token=kept)
    return safe_path(request.values.get("next"))


def remember_way_back(path: str | None) -> None:
    """Keep the way back over one more page of the door."""
    session[_BACK] = path


def remembered_way_back() -> str | None:
    """Return the way that was kept."""
    return safe_path(session.get(_BACK))


def go_back(path: str | None) -> Response:
    """Move on to where someone came from, else to their workspace."""
    return go(safe_path(path) or url_for("doors.workspaces"))
