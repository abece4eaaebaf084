"""Units in the order of a plan: by building, then by name, a page at a time."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.paging import Paging
from pms.foundation.search import finds
from pms.rules.enumerations import UnitType


class ChartedUnit(NamedTuple):
    """A unit as a plan names it."""

    id: str
    name: str
    type: UnitType
    building_id: str
    building: Bilingual


class ChartedUnits(NamedTuple):
    """One page of units, and how many there are."""

    units: Sequence[ChartedUnit]
    total: int


def charted_units(
    session: Session,
    *,
    building_id: str | None,
    text: str,
    paging: Paging,
    left_out: Collection[str] = (),
) -> ChartedUnits:
    """Return units of a building or of all, whose name or building holds the text."""
    wanted = _wanted(building_id, text).where(Unit.id.not_in(left_out))
    total = session.execute(
        wanted.with_only_columns(func.count(Unit.id)).order_by(None)
    ).scalar_one()
    rows = session.execute(wanted.offset(paging.offset).limit(paging.limit)).all()
    return ChartedUnits(
        [ChartedUnit(row[0], row[1], row[2], row[3], Bilingual(row[4], row[5])) for row in rows],
        total,
    )


def _wanted(building_id: str | None, text: str) -> Select[str, str, UnitType, str, str, str | None]:
    found = (
        select(Unit.id, Unit.name, Unit.type, Building.id, Building.name, Building.name_en)
        .join(Unit.building)
        .order_by(Building.name, Building.id, Unit.name_key, Unit.id)
    )
    if building_id:
        found = found.where(Unit.building_id == building_id)
    return found.where(finds(text, Unit.name_text, Building.name_text))
