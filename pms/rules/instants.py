"""Instants as programs write them: RFC 3339, with a zone."""

import re
from datetime import UTC, datetime
from typing import Final

_SHAPE: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2200


def strict_instant(text: str) -> datetime | None:
    """Return an instant in UTC to the second; nothing for a text that is not exactly one."""
    found = _SHAPE.fullmatch(text)
    if found is None:
        return None
    day, time, zone = found.groups()
    try:
        instant = datetime.fromisoformat(f"{day}T{time}{zone.upper().replace('Z', '+00:00')}")
    except ValueError:
        return None
    if not _FIRST_YEAR <= instant.year <= _LAST_YEAR:
        return None
    return instant.astimezone(UTC)
