"""The first page of the service: what it is and where to go from here."""

from flask import Blueprint, Response, request, url_for

from pms.surfaces.hypermedia import go, page
from pms.surfaces.signed_in import signed_in

blueprint = Blueprint("welcome", __name__)


@blueprint.get("/")
def start() -> Response:
    """A quiet start page; whoever is signed in goes on to where they work."""
    if signed_in() is not None and not request.args:
        return go(url_for("auth.workspaces"))
    return page("welcome/start.html")
