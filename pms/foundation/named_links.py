"""Reads what the text of a link says of itself: only the row it names decides."""

from typing import Final, NamedTuple

from pms.foundation.ids import is_id
from pms.foundation.tokens import Sealer

LONGEST_TOKEN: Final = 400


class NamedLink(NamedTuple):
    """What a link names: its workspace, its row, and the chance that the row has to know."""

    workspace_id: str
    link_id: str
    chance: str


def named_link(sealer: Sealer, purpose: str, token: str) -> NamedLink | None:
    """Return what a token names, `None` for any text that was not signed for this purpose."""
    parts = sealer.read(purpose, token) if len(token) <= LONGEST_TOKEN else None
    if parts is None or len(parts) != 3 or not (is_id(parts[0]) and is_id(parts[1])):
        return None
    return NamedLink(*parts)
