"""The gate of the doors: open to everyone, but only forms of our own pages are read."""

from flask import Blueprint, Response
from flask_wtf.csrf import CSRFError, CSRFProtect

from pms.surfaces.hypermedia import page


def guard(blueprint: Blueprint, csrf: CSRFProtect) -> None:
    """Read no form of another site, and let nobody keep a page of the doors."""

    @blueprint.before_request
    def read_own_forms() -> Response | None:
        try:
            csrf.protect()
        except CSRFError:
            response = page("doors/stale.html")
            response.status_code = 400
            return response
        return None

    @blueprint.after_request
    def keep_private(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        return response
