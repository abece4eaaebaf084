"""The buildings that owner records own or owned, as their owner portal shows them."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.catalogue.owners_by_day import left_by
from pms.foundation.bilingual import Bilingual
from pms.foundation.prepared import one_of


class OwnedBuilding(NamedTuple):
    """A building as the owners of an address are shown it; it may be somebody else's by now."""

    id: str
    owner_id: str | None
    readers: frozenset[str]
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
    return _buildings(session, owner_ids, one_of(Building.owner_id, owner_ids))


def ever_owned_buildings(session: Session, owner_ids: Sequence[str]) -> Sequence[OwnedBuilding]:
    """Return the buildings the owners own, and those they owned before, by name."""
    theirs = one_of(Building.owner_id, owner_ids)
    left = one_of(Building.id, left_by(session, owner_ids))
    return _buildings(session, owner_ids, or_(theirs, left))


def _buildings(
    session: Session, owner_ids: Sequence[str], wanted: ColumnElement[bool]
) -> Sequence[OwnedBuilding]:
    rows = session.execute(
        select(
            Building.id,
            Building.owner_id,
            Building.name,
            Building.name_en,
            Building.address,
            Building.address_en,
        )
        .where(wanted)
        .order_by(Building.name_key, Building.id)
    )
    readers = frozenset(owner_ids)
    return [
        OwnedBuilding(id_, owner_id, readers, Bilingual(ja, en), Bilingual(address, address_en))
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
