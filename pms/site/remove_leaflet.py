"""Removes a position or a service for good."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.rules.channel_words import LeafletKind
from pms.site.content_in_hand import content_in_hand, remove_content
from pms.site.leaflets import DEEDS, TABLES


def remove_leaflet(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    kind: LeafletKind,
    leaflet_id: str,
    version: int | None = None,
) -> None:
    """Take it away with its texts; raise `Refused` for a position that somebody applied for."""
    row = content_in_hand(session, TABLES[kind], leaflet_id, version)
    remove_content(session, clock, actor, DEEDS[kind].removed, row)
