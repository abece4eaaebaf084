"""Finds the unit a person means by its id, its slug, or its building and room."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.catalogue.names import building_key, room_key
from pms.catalogue.slugs import place_with_slug
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id


def named_unit_id(session: Session, unit: str, building: str | None = None) -> str:
    """Return the unit's id; without a building, `unit` is an id or a slug."""
    if building is None:
        with_id = select(Unit.id).where(Unit.id == unit)
        found = session.scalar(with_id) if is_id(unit) else place_with_slug(session, Unit, unit)
        missing = NotFound(
            "There is no unit '{unit}'; say its slug, or its building and room.", unit=unit
        )
    else:
        in_building = select(Building.id).where(Building.name_key == building_key(building))
        room = select(Unit.id).where(Unit.name_key == room_key(unit))
        found = session.scalar(room.where(Unit.building_id.in_(in_building)))
        missing = NotFound(
            "There is no unit '{unit}' in '{building}'.", unit=unit, building=building
        )
    if found is None:
        raise missing
    return found
