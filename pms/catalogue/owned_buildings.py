"""The buildings that owner records own, as their owner portal shows them."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.prepared import one_of


class OwnedBuilding(NamedTuple):
    """A building of an owner."""

    id: str
    owner_id: str
    name: Bilingual
    address: Bilingual


class OwnedUnit(NamedTuple):
    """A unit of it: its name and size, nobody's data."""

    id: str
    name: str
    layout: str | None
    rent_yen: int | None


def owned_buildings(session: Session, owner_ids: Sequence[str]) -> Sequence[OwnedBuilding]:
    """Return the buildings of the owners by name."""
    rows = session.execute(
        select(
            Building.id,
            Building.owner_id,
            Building.name,
            Building.name_en,
            Building.address,
            Building.address_en,
        )
        .where(one_of(Building.owner_id, owner_ids))
        .order_by(Building.name_key, Building.id)
    )
    return [
        OwnedBuilding(id_, owner_id or "", Bilingual(ja, en), Bilingual(address, address_en))
        for id_, owner_id, ja, en, address, address_en in rows
    ]


def owned_units(session: Session, building_id: str) -> Sequence[OwnedUnit]:
    """Return the units of a building by name."""
    rows = session.execute(
        select(Unit.id, Unit.name, Unit.layout, Unit.rent_yen)
        .where(Unit.building_id == building_id)
        .order_by(Unit.name_key, Unit.id)
    )
    return [OwnedUnit._make(row) for row in rows]
