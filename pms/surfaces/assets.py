"""Serves the stylesheet and the scripts under addresses that change when their content does."""

import gzip
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, current_app, request, url_for

_STYLESHEET = "pms.css"
_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FOR_GOOD = "public, max-age=31536000, immutable"

blueprint = Blueprint("assets", __name__)


@dataclass(frozen=True)
class Asset:
    """One file as it is sent, and the digest that names this content."""

    body: bytes
    packed: bytes
    mimetype: str
    digest: str


def read_assets(static: Path) -> dict[str, Asset]:
    """Read every asset once; all stylesheets become one, so that a page asks for a single file."""
    first = static / "css" / "layers.css"
    sheets = [first, *sorted(set(static.glob("css/*.css")) - {first})]
    found = {_STYLESHEET: _asset(b"\n".join(path.read_bytes() for path in sheets), ".css")}
    for path in sorted([*static.glob("js/*.js"), *static.glob("*.svg")]):
        found[path.name] = _asset(path.read_bytes(), path.suffix)
    return found


def asset_url(name: str) -> str:
    """The address of an asset; it may be kept for a year because new content has a new one."""
    return url_for("assets.asset", digest=_assets()[name].digest, name=name)


@blueprint.get("/assets/<digest>/<name>")
def asset(digest: str, name: str) -> Response:
    """One asset. A digest of before a deployment still gets the current file, not to be kept."""
    found = _assets().get(name) or abort(404)
    is_packed = request.accept_encodings.quality("gzip") > 0
    response = Response(found.packed if is_packed else found.body, mimetype=found.mimetype)
    if is_packed:
        response.content_encoding = "gzip"
    response.vary.add("Accept-Encoding")
    response.headers["Cache-Control"] = _FOR_GOOD if digest == found.digest else "no-cache"
    return response


def install(app: Flask) -> None:
    """Serve the application's assets and give templates their addresses."""
    app.extensions["assets"] = read_assets(Path(app.root_path) / "static")
    app.register_blueprint(blueprint)
    app.jinja_env.globals["asset_url"] = asset_url


def _assets() -> dict[str, Asset]:
    found: dict[str, Asset] = current_app.extensions["assets"]
    return found


def _asset(body: bytes, suffix: str) -> Asset:
    packed = gzip.compress(body, mtime=0)
    return Asset(body, packed, _KINDS[suffix], sha256(body).hexdigest()[:16])
