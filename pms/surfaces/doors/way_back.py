"""Where someone goes after signing in: back to where they came from, on this site alone."""

from urllib.parse import urlsplit

from flask import Response, request, session, url_for

from pms.surfaces.hypermedia import go

_BACK = "back"
_LONGEST = 1500


def safe_path(text: str | None) -> str | None:
    """Return an address of this very site, `None` for any other text."""
    if not text or len(text) > _LONGEST or not text.startswith("/") or not text.isprintable():
        return None
    # Browsers read a backslash as a slash, and two slashes as another host.
    if text.startswith(("//", "/\\")) or "\\" in text.partition("?")[0]:
        return None
    parts = urlsplit(text)
    return None if parts.scheme or parts.netloc else text


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
