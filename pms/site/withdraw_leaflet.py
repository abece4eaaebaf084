"""Withdraws a position or a service."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.rules.channel_words import LeafletKind
from pms.site.content_in_hand import content_in_hand, write_changes
from pms.site.leaflets import DEEDS, TABLES


def withdraw_leaflet(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    kind: LeafletKind,
    leaflet_id: str,
    version: int | None = None,
) -> None:
    """Hide it at once; its texts and its place in the order stay."""
    row = content_in_hand(session, TABLES[kind], leaflet_id, version)
    columns = {"is_published": False}
    write_changes(session, clock, actor, DEEDS[kind].withdrawn, row, columns=columns)
