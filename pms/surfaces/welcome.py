"""The first page of the service, with links to where to go from here."""

from typing import Final

from flask import Blueprint, Response, request, url_for

from pms.surfaces.hypermedia import go, page
from pms.surfaces.signed_in import signed_in

blueprint = Blueprint("welcome", __name__)
_ROBOTS: Final = """User-agent: *
Allow: /$
Allow: /manual
Allow: /photos/
Allow: /assets/
Allow: /llms.txt
Disallow: /
"""


@blueprint.get("/")
def start() -> Response:
    """Return the start page; a signed-in person is redirected to their workspaces."""
    if signed_in() is not None and not request.args:
        return go(url_for("auth.workspaces"))
    return page("welcome/start.html")


@blueprint.get("/robots.txt")
def robots() -> Response:
    """Tell search engines what they may read: the manual, and photos, which websites show."""
    return Response(_ROBOTS, mimetype="text/plain")
