"""Adds a unit to a building by hand."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_facts import checked_unit
from pms.catalogue.editing import add_row, refuse_taken, row_to_edit
from pms.catalogue.models import Building, Unit
from pms.catalogue.names import room_key
from pms.catalogue.slugs import free_slug, slug_of_room
from pms.catalogue.written_facts import WrittenUnit
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def add_unit(
    session: Session, clock: Clock, actor: str, *, building_id: str, written: WrittenUnit
) -> str:
    """Store a unit and return its id.

    Raises `NotFound` for the building, `Refused` for what cannot be kept, and `Collision` for a
    room that the building has already.
    """
    building = row_to_edit(session, Building, building_id)
    columns = checked_unit(written)
    in_building = Unit.building_id == building_id
    named_so = select(Unit.id).where(in_building, Unit.name_key == room_key(columns["name"]))
    refuse_taken(session, columns["name"], named_so)
    word = slug_of_room(building.slug, columns["name"], columns["name_kana"])
    slug = free_slug(session, Unit, word)
    now = clock.now()
    row = Unit(**columns, building_id=building_id, slug=slug, created_at=now, updated_at=now)
    return add_row(session, clock, actor, Deed.UNIT_ADDED, row)
