"""Serve stylesheets and scripts under addresses that change with their content."""

import gzip
import json
import re
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

from flask import Blueprint, Flask, Response, abort, current_app, request, url_for

# The pages that work offline load these; `outbox.js` is loaded only when something is to be
# sent, `unsaved.js` only when something was typed.
_OF_WORK: Final = (
    "vendor/htmx@2.0.11/htmx.min.js",
    "js/forms/send-once.js",
    "js/desk/asker.js",
    "js/desk/keys.js",
    "js/desk/opens.js",
    "js/desk/polls.js",
    "js/desk/swaps.js",
    "js/offline/*.js",
)
# The dashboard styles that calendar, reports, settings and takeover need; the rest is left out to save bytes.
_DESK_PARTS: Final = (
    "css/layers.css",
    "css/*.css",
    "css/desk/frame.css",
    "css/desk/reservations.css",
    "css/desk/due.css",
    "css/desk/table.css",
    "css/desk/catalogue.css",
    "css/desk/money.css",
    "css/desk/card.css",
    "css/desk/flow.css",
    "css/desk/sheets.css",
    "css/desk/tabs.css",
    "css/desk/sync.css",
    "css/desk/hue.css",
    "css/desk/changes.css",
)
# Each page loads one file of each kind, joined from these files in this order.
_JOINED: Final = {
    "public.css": ("css/layers.css", "css/*.css", "css/public/*.css"),
    "desk.css": ("css/layers.css", "css/*.css", "css/desk/*.css"),
    "settings.css": (*_DESK_PARTS, "css/settings/*.css"),
    "reports.css": (*_DESK_PARTS, "css/desk/tables.css", "css/reports/*.css"),
    "calendar.css": (*_DESK_PARTS, "css/calendar/*.css"),
    "takeover.css": (*_DESK_PARTS, "css/takeover/*.css"),
    "portal.css": (
        "css/layers.css",
        "css/*.css",
        "css/public/copied-facts.css",
        "css/desk/hue.css",
        "css/desk/frame.css",
        "css/desk/card.css",
        "css/desk/flow.css",
        "css/desk/table.css",
        "css/reports/plot.css",
        "css/public/contract-sheet.css",
        "css/public/sign-in-page.css",
        "css/portal/*.css",
    ),
    "settlement.css": (
        "css/layers.css",
        "css/*.css",
        "css/public/*.css",
        "css/desk/card.css",
        "css/desk/flow.css",
        "css/portal/*.css",
    ),
    "forms.js": ("js/forms/*.js", "js/auth/*.js"),
    "desk.js": (
        "vendor/htmx@2.0.11/htmx.min.js",
        "js/forms/presets.js",
        "js/forms/send-once.js",
        "js/desk/*.js",
    ),
    "task.js": _OF_WORK,
    "work.js": (*_OF_WORK, "js/work/*.js"),
    "unsaved.js": ("js/forms/unsaved.js",),
    "outbox.js": ("js/outbox/*.js",),
    "outbox.css": ("css/outbox/*.css",),
}
_ALONE: Final = ("js/*.js", "*.svg")
# htmx settings: no inline styles, no eval, requests to the same origin only, no cache of pages, and
# a form that was refused (422) is swapped in.
HTMX: Final = {
    "includeIndicatorStyles": False,
    "allowEval": False,
    "selfRequestsOnly": True,
    "historyCacheSize": 0,
    # Right after the swap: what is typed into a new field at once is noticed.
    "defaultSettleDelay": 0,
    "attributesToSettle": ["class"],
    "responseHandling": [
        {"code": "204", "swap": False},
        {"code": "[23]..|422", "swap": True},
        {"code": "[45]..", "swap": False, "error": True},
    ],
}
_KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FOR_GOOD = "public, max-age=31536000, immutable"
# Comments, line breaks and indentation, which browsers do not need.
_FOR_READERS: Final = {
    ".css": re.compile(
        rb"/\*.*?\*/\s*|;(?=\s*\})|(?<=[{};,])\s+|(?<=\n)\s+|(?<=[:,{;]) |\s(?=\{)"
        rb"| (?=[>~])|(?<=[>=~]) |(?<![\w.#])0(?=\.\d)",
        re.DOTALL,
    ),
    ".js": re.compile(rb"^\s*//.*\n|^\s+", re.MULTILINE),
}

blueprint = Blueprint("assets", __name__)


@dataclass(frozen=True)
class Asset:
    """An asset as it is sent, with the digest of its content."""

    body: bytes
    mimetype: str
    digest: str

    @cached_property
    def packed(self) -> bytes:
        """The asset compressed, at the first request for it."""
        return gzip.compress(self.body, mtime=0)


def read_assets(static: Path) -> dict[str, Asset]:
    """Read every asset once."""
    read = cache(_for_browsers)  # most files are part of several assets
    alone = (path for pattern in _ALONE for path in static.glob(pattern))
    found = {path.name: _build_asset(read(path), path.suffix) for path in sorted(alone)}
    for name, patterns in _JOINED.items():
        # A file named by several patterns keeps the place of the first.
        paths = dict.fromkeys(file for each in patterns for file in sorted(static.glob(each)))
        found[name] = _build_asset(b"\n".join(map(read, paths)), Path(name).suffix)
    return found


def asset_url(name: str) -> str:
    """Return an asset's address; it changes with the content, so it may be cached for a year."""
    return url_for("assets.asset", digest=_find_installed_assets()[name].digest, name=name)


@blueprint.get("/assets/<digest>/<name>")
def asset(digest: str, name: str) -> Response:
    """Send an asset; an outdated digest gets the current file with `no-cache`."""
    found = _find_installed_assets().get(name) or abort(404)
    is_packed = request.accept_encodings.quality("gzip") > 0
    response = Response(found.packed if is_packed else found.body, mimetype=found.mimetype)
    if is_packed:
        response.content_encoding = "gzip"
    response.vary.add("Accept-Encoding")
    response.headers["Cache-Control"] = _FOR_GOOD if digest == found.digest else "no-cache"
    return response


def install(app: Flask) -> None:
    """Serve the application's assets and give templates `asset_url` and the htmx settings."""
    app.extensions["assets"] = read_assets(Path(app.root_path) / "static")
    app.register_blueprint(blueprint)
    app.jinja_env.globals.update(asset_url=asset_url, htmx_config=json.dumps(HTMX))


def _find_installed_assets() -> dict[str, Asset]:
    found: dict[str, Asset] = current_app.extensions["assets"]
    return found


def _for_browsers(path: Path) -> bytes:
    body = path.read_bytes()
    if ".min." in path.name or path.suffix not in _FOR_READERS:
        return body
    return _FOR_READERS[path.suffix].sub(b"", body)


def _build_asset(body: bytes, suffix: str) -> Asset:
    return Asset(body, _KINDS[suffix], sha256(body).hexdigest()[:16])
