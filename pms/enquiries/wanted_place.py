"""Checks what somebody asks for: one unit, any of a building, or anything at all."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id


def wanted_place(
    session: Session, unit_id: str | None, building_id: str | None
) -> tuple[str | None, str | None]:
    """Return a unit's id or a building's, never both: a unit named says more.

    Raises `Refused` for a place of nobody here.
    """
    if unit_id:
        question = select(Unit.id).where(Unit.id == unit_id)
        if not is_id(unit_id) or session.scalar(question) is None:
            raise Refused("unitId: there is no such unit.")
        return unit_id, None
    if building_id:
        known = select(Building.id).where(Building.id == building_id)
        if not is_id(building_id) or session.scalar(known) is None:
            raise Refused("buildingId: there is no such building.")
    return None, building_id or None
