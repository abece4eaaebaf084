"""The first page of the service, with links to where to go from here."""

from flask import Blueprint, Response, request, url_for

from pms.surfaces.hypermedia import go, page
from pms.surfaces.signed_in import signed_in

blueprint = Blueprint("welcome", __name__)


@blueprint.get("/")
def start() -> Response:
    """Return the start page; a signed-in person is redirected to their workspaces."""
    if signed_in() is not None and not request.args:
        return go(url_for("auth.workspaces"))
    return page("welcome/start.html")
