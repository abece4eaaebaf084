"""The units of a building by name, for choices."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.ids import is_id


class NamedUnit(NamedTuple):
    """A unit as a choice."""

    id: str
    name: str


def unit_names(session: Session, building_id: str) -> Sequence[NamedUnit]:
    """Return every unit of a building in the order of its name; none for what is no building."""
    if not is_id(building_id):
        return []
    rows = session.execute(
        select(Unit.id, Unit.name)
        .where(Unit.building_id == building_id)
        .order_by(Unit.name_key, Unit.id)
    )
    return [NamedUnit._make(row) for row in rows]
