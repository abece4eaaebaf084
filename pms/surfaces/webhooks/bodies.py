"""Reads the body of a delivery: one JSON object, or a refusal that says why not."""

import json
from typing import Any, Final

import msgspec

from pms.foundation.errors import Refused

_DEEPEST: Final = 32
_decode = msgspec.json.Decoder().decode


def json_object(body: bytes, *, is_strict: bool = False) -> dict[str, Any]:
    """Return the object of a body; raise `Refused` for anything else (400).

    Strict is what our own contract asks of a body: no name stands twice in an object.
    """
    try:
        told = _decode(body)
        if is_strict:
            json.loads(body, object_pairs_hook=_once)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as unreadable:
        raise Refused("body: this is no JSON.") from unreadable
    if not isinstance(told, dict):
        raise Refused("body: one JSON object is needed.")
    if not _is_shallow(told):
        raise Refused("body: JSON is nested {most} deep at most.", most=_DEEPEST)
    return told


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _is_shallow(told: Any) -> bool:
    level = [told]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return True
    return False
