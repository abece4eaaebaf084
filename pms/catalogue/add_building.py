"""Adds a building by hand."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_facts import checked_building
from pms.catalogue.editing import add_row, refuse_taken
from pms.catalogue.models import Building
from pms.catalogue.names import building_key
from pms.catalogue.slugs import free_slug
from pms.catalogue.written_facts import WrittenBuilding
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed


def add_building(session: Session, clock: Clock, actor: str, *, written: WrittenBuilding) -> str:
    """Store a building and return its id.

    Raises `Refused` for what cannot be kept and `Collision` for a name that is there already.
    """
    columns = checked_building(written)
    named_so = select(Building.id).where(Building.name_key == building_key(columns["name"]))
    refuse_taken(session, columns["name"], named_so)
    slug = free_slug(session, Building, columns["name_en"] or columns["name"], "building")
    now = clock.now()
    row = Building(**columns, slug=slug, created_at=now, updated_at=now)
    return add_row(session, clock, actor, Deed.BUILDING_ADDED, row)
