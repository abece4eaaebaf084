"""What places are called: a building, with its unit where there is one."""

from collections.abc import Collection, Mapping
from typing import TypeAlias

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.phrases import Bilingual

PlaceIds: TypeAlias = tuple[str, str | None]
"""The id of a building, and that of its unit if the place is one."""


def name_places(session: Session, places: Collection[PlaceIds]) -> Mapping[PlaceIds, Bilingual]:
    """Return the names of places in both languages, in two questions at most."""
    asked = select(Building.id, Building.name, Building.name_en)
    named = {
        building_id: Bilingual(ja, en)
        for building_id, ja, en in session.execute(
            asked.where(Building.id.in_({building_id for building_id, _ in places}))
        )
    }
    unit_ids = {unit_id for _, unit_id in places if unit_id}
    units: dict[str, str] = {}
    if unit_ids:
        rows = session.execute(select(Unit.id, Unit.name).where(Unit.id.in_(unit_ids)))
        units = {row.id: row.name for row in rows}
    return {
        (building_id, unit_id): Bilingual(
            *(
                f"{name.in_language(locale)} {units.get(unit_id or '', '')}".strip()
                for locale in ("ja", "en")
            )
        )
        for building_id, unit_id in places
        for name in [named[building_id]]
    }


def home_name(session: Session, unit_id: str) -> Bilingual:
    """Return the name of a unit with its building."""
    building_id = session.scalars(select(Unit.building_id).where(Unit.id == unit_id)).one()
    return name_places(session, [(building_id, unit_id)])[building_id, unit_id]
