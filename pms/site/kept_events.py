"""Writes the events of a report as one text, and reads them again to be counted."""

from collections.abc import Sequence
from typing import Final

import msgspec

from pms.rules.visit_counts import KeptEvent

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(list[KeptEvent]).decode


def write_events(events: Sequence[KeptEvent]) -> str:
    """Return the events as they are kept: a JSON array of arrays of texts."""
    return _encode(events).decode()


def read_events(told: str) -> list[KeptEvent]:
    """Return what `write_events` wrote."""
    return _decode(told)
