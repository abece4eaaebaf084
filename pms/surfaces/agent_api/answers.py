"""Answers of the JSON API: fresh ones, unchanged ones, and ones that nobody may keep."""

from collections.abc import Callable, Hashable
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Request, Response, current_app, request
from flask.globals import request_ctx
from werkzeug.datastructures import Headers

from pms.foundation.paging import Paging
from pms.surfaces.agent_api.addresses import own_address
from pms.surfaces.agent_api.bodies import Bodies, Body
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.own_headers import OwnHeaders
from pms.surfaces.request_scope import today

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

    from pms.access.find_key import KnownKey

BODIES = "pms.agent_api.bodies"
_encode = msgspec.json.Encoder().encode
_JSON = "application/json"
_PROGRAM = version("pms")
_AS_JSON = ("Content-Type", _JSON)
_AS_GZIP = ("Content-Encoding", "gzip")
_TO_BE_ASKED = ("Cache-Control", "private, no-cache")
_VARYING = ("Vary", "Accept-Encoding, Authorization")


class Answer(Response):
    """A response whose headers are sent as they are.

    Others are copied first and searched for addresses and lengths to complete, which costs as
    much as a look-up of the key. This one names no address and says its length itself.
    """

    automatically_set_content_length = False
    default_mimetype = None
    # Said here, because hooks ask for it and an unchanged answer has no such header.
    mimetype = _JSON

    def __init__(self, status: int, body: bytes, *pairs: tuple[str, str]) -> None:
        headers = OwnHeaders()
        headers.add_own(pairs)
        super().__init__(body, status, headers)

    def get_wsgi_headers(self, environ: "WSGIEnvironment") -> Headers:
        return self.headers


def to_json(value: object) -> bytes:
    """Return a value as compact JSON; days and instants as the contract writes them."""
    return _encode(value)


def pagination(paging: Paging, total: int) -> dict[str, int]:
    """Return what a list says about its pages (specification, Residents)."""
    return {
        "page": paging.page,
        "limit": paging.limit,
        "total": total,
        "totalPages": paging.pages(total),
    }


def private_answer(data: dict[str, Any]) -> Response:
    """Answer with personal data, which nobody may keep."""
    response = Response(to_json({"ok": True, "data": data}), mimetype=_JSON)
    response.headers["Cache-Control"] = "no-store"
    return response


def listing_answer(question: Hashable, build: Callable[[], bytes]) -> Response:
    """Answer a question about listings or content from what is known of the last answer.

    The tag names the program, the counters of the workspace, the day in Japan, the question as it
    was read and the scopes, so an unchanged poll is over before anything is looked up. `build` returns
    the JSON of `data`.
    """
    # The request itself, not its proxy, which costs at each step.
    asked: Request = request_ctx.request
    environ = asked.environ
    words, key = f"{asked.path} {_written(question)}", known_key()
    tag = _tag(key, today(), own_address(), words)
    if tag in _known_tags(environ.get("HTTP_IF_NONE_MATCH")):
        return Answer(304, b"", *_headers(tag))
    bodies: Bodies = current_app.extensions[BODIES]
    body = bodies.get(key.workspace_id, words, tag)
    if body is None:
        body = bodies.put(key.workspace_id, words, tag, b'{"ok":true,"data":%b}' % build())
    return _sent(body, is_gzip=_takes_gzip(environ.get("HTTP_ACCEPT_ENCODING", "")))


@lru_cache(maxsize=1024)
def _written(question: Hashable) -> str:
    # In one order whichever process writes it: sets have one of their own in each.
    return msgspec.json.encode(question, order="deterministic").decode()


@lru_cache(maxsize=1024)
def _tag(key: "KnownKey", day: date, address: str, words: str) -> str:
    counters = f"{key.catalogue_version} {key.occupancy_version} {day}"
    scopes = " ".join(sorted(key.scopes))
    told = f"{_PROGRAM} {key.workspace_id} {counters} {scopes} {address} {words}"
    return f'W/"{blake2b(told.encode(), digest_size=16).hexdigest()}"'


def _known_tags(given: str | None) -> tuple[str, ...]:
    if given is None:
        return ()
    tags = (tag.strip() for tag in given.split(","))
    return tuple(tag if tag.startswith("W/") else f"W/{tag}" for tag in tags)


def _sent(body: Body, *, is_gzip: bool) -> Response:
    data = body.compressed if is_gzip else body.plain
    length = ("Content-Length", str(len(data)))
    if is_gzip:
        return Answer(200, data, _AS_JSON, _AS_GZIP, length, *_headers(body.tag))
    return Answer(200, data, _AS_JSON, length, *_headers(body.tag))


def _takes_gzip(given: str) -> bool:
    if ";" in given:
        return request.accept_encodings["gzip"] > 0
    return "gzip" in map(str.strip, given.lower().split(","))


def _headers(tag: str) -> tuple[tuple[str, str], ...]:
    return ("ETag", tag), _TO_BE_ASKED, _VARYING
