"""The two kinds of leaflets, positions and services: their tables and the names of their deeds."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from pms.rules.channel_words import LeafletKind
from pms.rules.deeds import Deed
from pms.site.models import Position, Service


class LeafletDeeds(NamedTuple):
    """What is done to one kind, as the audit names it."""

    written: Deed
    published: Deed
    withdrawn: Deed
    ordered: Deed
    removed: Deed


TABLES: Final[Mapping[LeafletKind, type[Position] | type[Service]]] = {
    LeafletKind.POSITION: Position,
    LeafletKind.SERVICE: Service,
}
DEEDS: Final[Mapping[LeafletKind, LeafletDeeds]] = {
    LeafletKind.POSITION: LeafletDeeds(
        Deed.POSITION_WRITTEN,
        Deed.POSITION_PUBLISHED,
        Deed.POSITION_WITHDRAWN,
        Deed.POSITIONS_ORDERED,
        Deed.POSITION_REMOVED,
    ),
    LeafletKind.SERVICE: LeafletDeeds(
        Deed.SERVICE_WRITTEN,
        Deed.SERVICE_PUBLISHED,
        Deed.SERVICE_WITHDRAWN,
        Deed.SERVICES_ORDERED,
        Deed.SERVICE_REMOVED,
    ),
}
