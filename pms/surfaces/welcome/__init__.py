"""The first page of the service: what it is and where to go from here."""

from flask import Blueprint, Response

from pms.surfaces.hypermedia import page

blueprint = Blueprint("welcome", __name__)


@blueprint.get("/")
def start() -> Response:
    """A quiet start page."""
    return page("welcome/start.html")
