"""Reads stored JSON into records; what is in a form that this release does not know is refused."""

from typing import Any, TypeVar

from msgspec import ValidationError, convert, to_builtins

from pms.foundation.errors import StoredUnreadable, unreadable_stored

T = TypeVar("T")


def read_stored(form: type[T], kept: Any, *, is_part: bool = False) -> T:
    """Return stored JSON as a record; raise `StoredUnreadable` unless all of it is taken.

    With `is_part` the record is only a part of what is stored.
    """
    try:
        record = convert(kept, form)
    except ValidationError as failure:
        raise unreadable_stored() from failure
    if not (is_part or _is_taken(kept, to_builtins(record))):
        raise unreadable_stored()
    return record


def readable_stored(form: type[T], kept: Any) -> T | None:
    """Return stored JSON as a record, or `None` for what cannot be read."""
    try:
        return read_stored(form, kept)
    except StoredUnreadable:
        return None


def _is_taken(kept: Any, taken: Any) -> bool:
    """Whether every name of stored JSON came into the record, at any depth.

    A name that this release does not know could be an amount.
    """
    if isinstance(kept, dict) and isinstance(taken, dict):
        return all(name in taken and _is_taken(each, taken[name]) for name, each in kept.items())
    if isinstance(kept, list) and isinstance(taken, list):
        # What was left out at the end has its usual value.
        return len(kept) <= len(taken) and all(map(_is_taken, kept, taken))
    return True
