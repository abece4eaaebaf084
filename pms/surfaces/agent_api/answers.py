"""Answers of the JSON API: fresh ones, unchanged ones, and ones that nobody may keep."""

from collections.abc import Callable, Hashable
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from flask import Request, Response, current_app
from flask.globals import request_ctx
from werkzeug.datastructures import Accept, Headers
from werkzeug.http import parse_accept_header

from pms.foundation.paging import Paging
from pms.surfaces.agent_api.addresses import own_address
from pms.surfaces.agent_api.bodies import Bodies, Body
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.agent_api.known_questions import QUESTIONS, KnownQuestions
from pms.surfaces.own_headers import OwnHeaders, Pairs, add_own
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


class Ready(NamedTuple):
    """An answer to a question, before what every answer carries is put on it."""

    status: int
    body: bytes
    headers: Pairs


class Answer(Response):
    """A response whose headers are sent as they are.

    Others are copied first and searched for addresses and lengths to complete, which costs as
    much as a look-up of the key. This one names no address and says its length itself.
    """

    automatically_set_content_length = False
    default_mimetype = None
    # Said here, because hooks ask for it and an unchanged answer has no such header.
    mimetype = _JSON

    def __init__(self, ready: Ready) -> None:
        headers = OwnHeaders()
        add_own(headers, ready.headers)
        super().__init__(ready.body, ready.status, headers)

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
    environ, extensions = asked.environ, current_app.extensions
    words, key = f"{asked.path} {_written(question)}", known_key()
    tag = tag_of(key, today(), own_address(), words)
    bodies: Bodies = extensions[BODIES]
    ready = kept_answer(environ, bodies, key.workspace_id, words, tag)
    if ready is None:
        data = b'{"ok":true,"data":%b}' % build()
        ready = _sent(environ, bodies.put(key.workspace_id, words, tag, data))
    questions: KnownQuestions = extensions[QUESTIONS]
    questions.remember(asked, key.default_locale, words)
    return Answer(ready)


def kept_answer(
    environ: "WSGIEnvironment", bodies: Bodies, workspace_id: str, words: str, tag: str
) -> Ready | None:
    """Return the answer to a question in so many words, if nothing has to be looked up for it."""
    if tag in _known_tags(environ.get("HTTP_IF_NONE_MATCH")):
        return Ready(304, b"", _headers(tag))
    body = bodies.get(workspace_id, words, tag)
    return None if body is None else _sent(environ, body)


@lru_cache(maxsize=1024)
def _written(question: Hashable) -> str:
    # In one order whichever process writes it: sets have one of their own in each.
    return msgspec.json.encode(question, order="deterministic").decode()


@lru_cache(maxsize=1024)
def tag_of(key: "KnownKey", day: date, address: str, words: str) -> str:
    """Return the tag under which an answer to a question is true."""
    counters = f"{key.catalogue_version} {key.occupancy_version} {day}"
    scopes = " ".join(sorted(key.scopes))
    told = f"{_PROGRAM} {key.workspace_id} {counters} {scopes} {address} {words}"
    return f'W/"{blake2b(told.encode(), digest_size=16).hexdigest()}"'


def _known_tags(given: str | None) -> tuple[str, ...]:
    if given is None:
        return ()
    tags = (tag.strip() for tag in given.split(","))
    return tuple(tag if tag.startswith("W/") else f"W/{tag}" for tag in tags)


def _sent(environ: "WSGIEnvironment", body: Body) -> Ready:
    if _takes_gzip(environ.get("HTTP_ACCEPT_ENCODING", "")):
        return _whole(body.compressed, body.tag, _AS_JSON, _AS_GZIP)
    return _whole(body.plain, body.tag, _AS_JSON)


def _whole(data: bytes, tag: str, *kind: tuple[str, str]) -> Ready:
    return Ready(200, data, (*kind, ("Content-Length", str(len(data))), *_headers(tag)))


def _takes_gzip(given: str) -> bool:
    if ";" in given:
        return parse_accept_header(given, Accept)["gzip"] > 0
    return "gzip" in map(str.strip, given.lower().split(","))


def _headers(tag: str) -> Pairs:
    return ("ETag", tag), _TO_BE_ASKED, _VARYING
