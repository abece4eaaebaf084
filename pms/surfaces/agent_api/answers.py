"""Answers of the JSON API and their cache."""

import gzip
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from hashlib import blake2b
from importlib.metadata import version
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import msgspec
from flask import Response, current_app, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from pms.foundation.lists import Paging
from pms.surfaces.limits import known_key
from pms.surfaces.request_scope import today

if TYPE_CHECKING:
    from pms.access.key_lookup import KnownKey


MOST_BYTES = 64 * 1024 * 1024
_LEVEL = 6
_BESIDE = 600  # measured overhead in bytes of one cached body


@dataclass(frozen=True)
class Body:
    """A serialised answer with its ETag; compressed at the first request that accepts gzip."""

    tag: str
    plain: bytes

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.plain, _LEVEL, mtime=0)


class Bodies:
    """The cached answers of one process; the least recently used are dropped above a size limit."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._bodies: OrderedDict[tuple[str, str], Body] = OrderedDict()
        self._most_bytes = most_bytes
        self._bytes = 0
        self._lock = Lock()

    def get(self, workspace_id: str, question: str, tag: str) -> Body | None:
        """Return the cached answer to a question if its tag is current, else `None`."""
        with self._lock:
            body = self._bodies.get((workspace_id, question))
            if body is None or body.tag != tag:
                return None
            self._bodies.move_to_end((workspace_id, question))
            return body

    def put(self, workspace_id: str, question: str, tag: str, plain: bytes) -> Body:
        """Cache an answer and return it."""
        body = Body(tag, plain)
        key = workspace_id, question
        with self._lock:
            self._drop_body(key)
            self._bodies[key] = body
            self._bytes += _estimate_size(key, body)
            while self._bytes > self._most_bytes and len(self._bodies) > 1:
                self._drop_body(next(iter(self._bodies)))
        return body

    def forget(self) -> None:
        """Drop all answers, after the database was replaced."""
        with self._lock:
            self._bodies.clear()
            self._bytes = 0

    def _drop_body(self, key: tuple[str, str]) -> None:
        old = self._bodies.pop(key, None)
        if old is not None:
            self._bytes -= _estimate_size(key, old)


def _estimate_size(key: tuple[str, str], body: Body) -> int:
    # For short answers to long questions the question is most of the size. The compressed answer
    # is at most as large as the plain one.
    return _BESIDE + len(key[1]) + 2 * len(body.plain)


BODIES = "pms.agent_api.bodies"
_encode = msgspec.json.Encoder().encode
_JSON = "application/json"
_PROGRAM = version("pms")
_TO_BE_ASKED = "private, no-cache"
_VARYING = "Accept-Encoding, Authorization, Origin"


def to_json(value: object) -> bytes:
    """Return a value as compact JSON, with days and instants as the contract writes them."""
    return _encode(value)


def pagination(paging: Paging, total: int) -> dict[str, int]:
    """Return the pagination of a list (specification, Residents)."""
    return {
        "page": paging.page,
        "limit": paging.limit,
        "total": total,
        "totalPages": paging.pages(total),
    }


def private_answer(data: dict[str, Any]) -> Response:
    """Return an answer with personal data, which must not be cached."""
    response = Response(to_json({"ok": True, "data": data}), mimetype=_JSON)
    response.headers["Cache-Control"] = "no-store"
    return response


def listing_answer(question: Hashable, build: Callable[[], bytes]) -> Response:
    """Answer a question about listings or content, from the cache if nothing has changed.

    The tag covers the program's version, the workspace's counters, the day in Japan, the question
    as it was read and the scopes, so an unchanged poll is answered before any query. `build`
    returns the JSON of `data`.
    """
    words, key = f"{request.path} {_encode_question(question)}", known_key()
    tag = tag_of(key, today(), current_app.config["BASE_URL"], words)
    bodies: Bodies = current_app.extensions[BODIES]
    held = _known_tags(request.headers.get("If-None-Match"))
    if tag in held:
        return _build_response(304, b"", tag)
    body = bodies.get(key.workspace_id, words, tag)
    if body is None:
        data = b'{"ok":true,"data":%b}' % build()
        body = bodies.put(key.workspace_id, words, tag, data)
    # "*" stands for whatever answer there is (RFC 9110, 13.1.2): only now it is known to exist.
    if held == _ANY:
        return _build_response(304, b"", tag)
    given = request.headers.get("Accept-Encoding", "")
    if ";" in given:
        takes_gzip = parse_accept_header(given, Accept)["gzip"] > 0
    else:
        takes_gzip = "gzip" in map(str.strip, given.lower().split(","))
    if not takes_gzip:
        return _build_response(200, body.plain, body.tag)
    response = _build_response(200, body.compressed, body.tag)
    response.headers["Content-Encoding"] = "gzip"
    return response


@lru_cache(maxsize=1024)
def _encode_question(question: Hashable) -> str:
    # Sorted, because the order of a set differs between processes.
    return msgspec.json.encode(question, order="deterministic").decode()


@lru_cache(maxsize=1024)
def tag_of(key: "KnownKey", day: date, address: str, words: str) -> str:
    """Return the ETag of the answer to a question."""
    counters = f"{key.catalogue_version} {key.occupancy_version} {day}"
    scopes = " ".join(sorted(key.scopes))
    text = f"{_PROGRAM} {key.workspace_id} {counters} {scopes} {address} {words}"
    return f'W/"{blake2b(text.encode(), digest_size=16).hexdigest()}"'


_ANY: Final = ("*",)


def _known_tags(given: str | None) -> tuple[str, ...]:
    """Return the tags that the caller has, all weak; of `*`, itself alone."""
    if given is None:
        return ()
    if given.strip() == "*":
        return _ANY
    tags = (tag.strip() for tag in given.split(","))
    return tuple(tag if tag.startswith("W/") else f"W/{tag}" for tag in tags)


def _build_response(status: int, data: bytes, tag: str) -> Response:
    response = Response(data, status, mimetype=_JSON)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = _TO_BE_ASKED
    response.headers["Vary"] = _VARYING
    return response
