"""Leaflets: positions and services."""

from sqlalchemy import func, select

from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.message_words import LeafletKind
from pms.site.content import (
    LEAFLET_EVENTS,
    TABLES,
    add_content,
    locked_content,
    remove_content,
    write_changes,
)
from pms.site.models import Position, Service
from pms.site.written_content import WrittenLeaflet, checked_leaflet, checked_place, content_slug


def move_leaflet(work: Work, *, kind: LeafletKind, leaflet_id: str, places: int) -> bool:
    """Move it by so many places, upwards when negative, as far as there are any; tell if it moved.

    Moving one says nothing new of it, so nobody's edit of its texts clashes with it.
    """
    model = TABLES[kind]
    row = locked_content(work.session, model, leaflet_id)
    asked = select(model).order_by(model.order, model.id).with_for_update()
    before: list[Position | Service] = list(work.session.scalars(asked))
    after = [other for other in before if other is not row]
    after.insert(max(0, before.index(row) + places), row)
    if after == before:
        return False
    was = before.index(row) + 1
    for place, other in enumerate(after, start=1):
        other.order = place
    note_audit_event(
        work,
        LEAFLET_EVENTS[kind].ordered,
        subject_of(row),
        before={"position": was},
        after={"position": after.index(row) + 1},
    )
    work.session.flush()
    return True


def publish_leaflet(
    work: Work, *, kind: LeafletKind, leaflet_id: str, version: int | None = None
) -> None:
    """Show it at once; publishing what is public changes nothing."""
    row = locked_content(work.session, TABLES[kind], leaflet_id, version)
    columns = {"is_published": True}
    write_changes(work, LEAFLET_EVENTS[kind].published, row, columns=columns)


def remove_leaflet(
    work: Work, *, kind: LeafletKind, leaflet_id: str, version: int | None = None
) -> None:
    """Take it away with its texts; raise `Refused` for a position that somebody applied for."""
    row = locked_content(work.session, TABLES[kind], leaflet_id, version)
    remove_content(work, LEAFLET_EVENTS[kind].removed, row)


def withdraw_leaflet(
    work: Work, *, kind: LeafletKind, leaflet_id: str, version: int | None = None
) -> None:
    """Hide it at once; its texts and its place in the order stay."""
    row = locked_content(work.session, TABLES[kind], leaflet_id, version)
    columns = {"is_published": False}
    write_changes(work, LEAFLET_EVENTS[kind].withdrawn, row, columns=columns)


def write_leaflet(
    work: Work,
    *,
    kind: LeafletKind,
    written: WrittenLeaflet,
    leaflet_id: str | None = None,
    version: int | None = None,
) -> str:
    """Write one and return its id; raise `Refused` or `Collision` as for a post."""
    model, audit_event = TABLES[kind], LEAFLET_EVENTS[kind].written
    columns = checked_leaflet(written)
    if kind == LeafletKind.POSITION:
        columns |= checked_place(written)
    if leaflet_id is not None:
        row = locked_content(work.session, model, leaflet_id, version)
        columns["slug"] = content_slug(work.session, row, written.slug, columns["title_en"])
        write_changes(work, audit_event, row, columns=columns)
        return row.id
    empty = model(id=new_id(), slug="", version=1)
    columns["slug"] = content_slug(work.session, empty, written.slug, columns["title_en"])
    last = work.session.scalar(select(func.max(model.order))) or 0
    new = model(id=empty.id, version=1, is_published=False, order=last + 1, **columns)
    return add_content(work, audit_event, new)
