"""The pictures of units and buildings, public to everyone with their address."""

from functools import lru_cache, partial

from flask import Blueprint, Response, abort, request

from pms.catalogue.photo_sizes import WIDTHS, as_jpeg
from pms.catalogue.photos import find_photo
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.surfaces.request_scope import ask_across_workspaces

# The picture of an address never changes: a new picture is a new record.
_FOR_EVER = "public, max-age=31536000, immutable"
_NAMES = {f"{width}.{suffix}": (width, suffix) for width in WIDTHS for suffix in ("webp", "jpg")}
_KINDS = {"webp": "image/webp", "jpg": "image/jpeg"}


def make_blueprint(settings: Settings) -> Blueprint:
    """Return the blueprint of `/photos/<workspace>/<photo>/<width>.webp`, also as `.jpg`."""
    blueprint = Blueprint("photos", __name__)
    contents = Contents(Files(settings))

    @blueprint.get("/photos/<workspace>/<photo_id>/<name>")
    def photo(workspace: str, photo_id: str, name: str) -> Response:
        if name not in _NAMES:
            abort(404)
        width, suffix = _NAMES[name]
        key = ask_across_workspaces(
            partial(find_photo, workspace_slug=workspace, photo_id=photo_id, width=width)
        )
        if key is None:
            abort(404)
        tag = f"{key[:32]}-{suffix}"
        if request.if_none_match.contains_weak(tag):
            return _allow_lasting_cache(Response(status=304), tag)
        content = contents.of(key, suffix)
        if content is None:
            abort(404)
        return _allow_lasting_cache(Response(content, mimetype=_KINDS[suffix]), tag)

    return blueprint


def _allow_lasting_cache(response: Response, tag: str) -> Response:
    response.set_etag(tag)
    response.headers["Cache-Control"] = _FOR_EVER
    # An operator's website shows the pictures on another origin.
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


_KEPT_JPEGS = 64


class Contents:
    """The bytes of pictures by the key of their WebP file; JPEGs are made from it and cached."""

    def __init__(self, files: Files):
        self._files = files
        self._jpeg = lru_cache(maxsize=_KEPT_JPEGS)(self._make_jpeg)

    def of(self, key: str, suffix: str) -> bytes | None:
        """Return the picture as `webp` or `jpg`, or `None` if its file is missing."""
        return self._files.get(key) if suffix == "webp" else self._jpeg(key)

    def _make_jpeg(self, key: str) -> bytes | None:
        webp = self._files.get(key)
        return None if webp is None else as_jpeg(webp)
