"""Reads what providers write in JSON without ever tripping over it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from json import dumps
from math import isfinite
from typing import Any, Final

_DEEPEST: Final = 32
_LONGEST_NAME: Final = 200
_LONGEST_KIND: Final = 80
_LAST_SECOND: Final = 7_258_118_400
"""The beginning of the year 2200."""


def storable(value: object, depth: int = 0) -> Any:
    """Return JSON that any database keeps: no NUL, no half of a pair, no number without end.

    Raises `ValueError` for what is nested deeper than anybody writes by intent.
    """
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, Mapping):
        return {storable_text(str(name)): storable(part, depth + 1) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [storable(part, depth + 1) for part in value]
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if value is None or isinstance(value, bool | int) else str(type(value).__name__)


def storable_text(text: str) -> str:
    """Return a text with a mark in place of what no database keeps."""
    return (
        text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def within(value: object, *names: str) -> object:
    """Return what is found by going down the names; nothing where the way ends."""
    for name in names:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def object_within(value: object, *names: str) -> Mapping[str, Any]:
    """Return the object found by going down the names; an empty one where there is none."""
    found = within(value, *names)
    return found if isinstance(found, Mapping) else {}


def objects_within(value: object, *names: str) -> list[Mapping[str, Any]]:
    """Return the objects of a list found by going down the names."""
    found = within(value, *names)
    return [part for part in found if isinstance(part, Mapping)] if isinstance(found, list) else []


def text_within(value: object, *names: str) -> str | None:
    """Return the text found by going down the names; a blank one is none."""
    found = within(value, *names)
    return found if isinstance(found, str) and found.strip() else None


def name_within(value: object, *names: str) -> str | None:
    """Return what a provider calls something: one short line, which may be written as a number."""
    found = within(value, *names)
    if isinstance(found, int) and not isinstance(found, bool) and abs(found) < 10**40:
        found = str(found)
    if not isinstance(found, str) or not found.isprintable():
        return None
    return found if len(found.strip()) > 0 and len(found) <= _LONGEST_NAME else None


def kind_of(*parts: str | None) -> str:
    """Return the name of a kind as it is kept and shown: `message.text`."""
    return ".".join(part or "unknown" for part in parts)[:_LONGEST_KIND]


def instant_of(seconds: object) -> datetime | None:
    """Return the instant that is so many seconds from 1970, to the second."""
    if isinstance(seconds, str) and seconds.isascii() and seconds.isdigit() and len(seconds) < 12:
        seconds = int(seconds)
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        return None
    return datetime.fromtimestamp(int(seconds), UTC) if 0 <= seconds < _LAST_SECOND else None


def fingerprint(value: object) -> str:
    """Return what tells an event that has no name of its own from any other."""
    written = dumps(value, sort_keys=True, ensure_ascii=True)
    return sha256(written.encode()).hexdigest()
