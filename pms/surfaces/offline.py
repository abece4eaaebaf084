"""What works offline: the service worker, and the page for addresses without a stored copy.

The worker stores only the pages of work; each page says whose copy it may become.
"""

import json
from pathlib import Path
from typing import Final

from flask import Blueprint, Flask, Response, current_app, url_for

from pms.surfaces.assets import asset_url
from pms.surfaces.hypermedia import page

_SOURCE: Final = "pms.offline.worker"
# What the pages of work load, including what they load once something is typed or waits to be sent.
_KEPT: Final = (
    "desk.css",
    "work.js",
    "task.js",
    "unsaved.js",
    "outbox.js",
    "outbox.css",
    "public.css",
    "offline.js",
    "icon.svg",
)
# A worker runs under the policy of its own response, and it fetches for the pages.
_POLICY: Final = "default-src 'none'; connect-src 'self'"

blueprint = Blueprint("offline", __name__)


def install(app: Flask) -> None:
    """Serve the service worker and the offline page."""
    app.extensions[_SOURCE] = (Path(app.root_path) / "static/js/worker/worker.js").read_text()
    app.register_blueprint(blueprint)


@blueprint.get("/dashboard/service-worker.js")
def service_worker() -> Response:
    """Send the worker with the addresses of its assets; a changed asset changes the worker."""
    kept = [asset_url(name) for name in _KEPT]
    page_of_all = url_for("offline.no_network")
    head = f"const KEPT = {json.dumps(kept)};\nconst NO_NETWORK = {json.dumps(page_of_all)};\n"
    response = Response(head + current_app.extensions[_SOURCE], mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = _POLICY
    return response


@blueprint.get("/dashboard/offline")
def no_network() -> Response:
    """Return the page shown without a network and without a copy; it names no person."""
    return page("offline/no_network.html")
