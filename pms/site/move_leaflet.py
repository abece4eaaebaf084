"""Moves a position or a service up or down among its like."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.rules.channel_words import LeafletKind
from pms.site.content_in_hand import content_in_hand
from pms.site.leaflets import DEEDS, TABLES
from pms.site.models import Position, Service


def move_leaflet(
    session: Session, clock: Clock, actor: str, *, kind: LeafletKind, leaflet_id: str, places: int
) -> bool:
    """Move it by so many places, upwards when negative, as far as there are any; tell if it moved.

    Moving one says nothing new of it, so nobody's edit of its texts clashes with it.
    """
    model = TABLES[kind]
    row = content_in_hand(session, model, leaflet_id)
    asked = select(model).order_by(model.order, model.id).with_for_update()
    before: list[Position | Service] = list(session.scalars(asked))
    after = [other for other in before if other is not row]
    after.insert(max(0, before.index(row) + places), row)
    if after == before:
        return False
    was = before.index(row) + 1
    for place, other in enumerate(after, start=1):
        other.order = place
    note_deed(
        session,
        clock,
        actor,
        DEEDS[kind].ordered,
        subject_of(row),
        before={"position": was},
        after={"position": after.index(row) + 1},
    )
    session.flush()
    return True
