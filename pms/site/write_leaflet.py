"""Writes a position or a service: its texts in both languages; a new one stands last, unpublished."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.rules.channel_words import LeafletKind
from pms.site.content_in_hand import add_content, content_in_hand, write_changes
from pms.site.content_slugs import content_slug
from pms.site.leaflets import DEEDS, TABLES
from pms.site.written_content import WrittenLeaflet, checked_leaflet, checked_place


def write_leaflet(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    kind: LeafletKind,
    written: WrittenLeaflet,
    leaflet_id: str | None = None,
    version: int | None = None,
) -> str:
    """Write one and return its id; raise `Refused` or `Collision` as for a post."""
    model, deed = TABLES[kind], DEEDS[kind].written
    columns = checked_leaflet(written)
    if kind == LeafletKind.POSITION:
        columns |= checked_place(written)
    if leaflet_id is not None:
        row = content_in_hand(session, model, leaflet_id, version)
        columns["slug"] = content_slug(session, row, written.slug, columns["title_en"])
        write_changes(session, clock, actor, deed, row, columns=columns)
        return row.id
    empty = model(id=new_id(), slug="", version=1)
    columns["slug"] = content_slug(session, empty, written.slug, columns["title_en"])
    last = session.scalar(select(func.max(model.order))) or 0
    new = model(id=empty.id, version=1, is_published=False, order=last + 1, **columns)
    return add_content(session, clock, actor, deed, new)
