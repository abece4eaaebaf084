"""Answers of the JSON API: fresh ones, unchanged ones, and ones that nobody may keep."""

from collections.abc import Callable, Hashable
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from typing import Any

import msgspec
from flask import Response, current_app, request

from pms.foundation.paging import Paging
from pms.surfaces.agent_api.addresses import own_address
from pms.surfaces.agent_api.bodies import Bodies, Body
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.request_scope import today

BODIES = "pms.agent_api.bodies"
_encode = msgspec.json.Encoder().encode
_JSON = "application/json"
_PROGRAM = version("pms")


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
    asked = f"{request.path} {_written(question)}"
    tag = _tag(asked)
    if tag in _known_tags():
        return Response(status=304, mimetype=_JSON, headers=_headers(tag))
    bodies: Bodies = current_app.extensions[BODIES]
    workspace_id = known_key().workspace_id
    body = bodies.get(workspace_id, asked, tag)
    if body is None:
        body = bodies.put(workspace_id, asked, tag, b'{"ok":true,"data":%b}' % build())
    return _sent(body)


@lru_cache(maxsize=1024)
def _written(question: Hashable) -> str:
    # In one order whichever process writes it: sets have one of their own in each.
    return msgspec.json.encode(question, order="deterministic").decode()


def _tag(asked: str) -> str:
    key = known_key()
    counters = f"{key.catalogue_version} {key.occupancy_version} {today()}"
    scopes = " ".join(sorted(key.scopes))
    told = f"{_PROGRAM} {key.workspace_id} {counters} {scopes} {own_address()} {asked}"
    return f'W/"{blake2b(told.encode(), digest_size=16).hexdigest()}"'


def _known_tags() -> tuple[str, ...]:
    given = request.headers.get("If-None-Match")
    if given is None:
        return ()
    tags = (tag.strip() for tag in given.split(","))
    return tuple(tag if tag.startswith("W/") else f"W/{tag}" for tag in tags)


def _sent(body: Body) -> Response:
    headers = _headers(body.tag)
    if not _takes_gzip():
        return Response(body.plain, mimetype=_JSON, headers=headers)
    headers["Content-Encoding"] = "gzip"
    return Response(body.compressed, mimetype=_JSON, headers=headers)


def _takes_gzip() -> bool:
    given = request.headers.get("Accept-Encoding", "")
    if ";" in given:
        return request.accept_encodings["gzip"] > 0
    return "gzip" in map(str.strip, given.lower().split(","))


def _headers(tag: str) -> dict[str, str]:
    return {
        "ETag": tag,
        "Cache-Control": "private, no-cache",
        "Vary": "Accept-Encoding, Authorization",
    }
