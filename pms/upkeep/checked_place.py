"""Checks where something is to be done: a building, or one of its units."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id


def checked_place(
    session: Session, building_id: str | None, unit_id: str | None
) -> tuple[str, str | None]:
    """Return a building's id and perhaps one of its units'; a unit alone says its building.

    Raises `Refused` for a place of nobody here, and for a unit of another building.
    """
    if unit_id:
        home = select(Unit.building_id).where(Unit.id == unit_id)
        found = session.scalar(home) if is_id(unit_id) else None
        if found is None or building_id not in (None, "", found):
            raise Refused("unitId: there is no such unit in this building.")
        return found, unit_id
    known = select(Building.id).where(Building.id == building_id)
    if not building_id or not is_id(building_id) or session.scalar(known) is None:
        raise Refused("buildingId: there is no such building.")
    return building_id, None
