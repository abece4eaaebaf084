"""Units as the rows of a chart."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from sqlalchemy import (
    select,
)
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.lists import Paging, finds
from pms.foundation.phrases import Bilingual
from pms.foundation.versions import CATALOGUE, KeptAnswers
from pms.rules.enumerations import UnitType
from pms.workspaces.queries import counters


class ChartedUnit(NamedTuple):
    """A unit as a chart names it."""

    id: str
    name: str
    type: UnitType
    building_id: str
    building: Bilingual
    rent_yen: int | None


class ChartedUnits(NamedTuple):
    """One page of units, and the total count."""

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
    """Return units of a building or of all, whose name or building contains the text."""
    asked = (building_id, text, frozenset(left_out))
    state = counters(session, CATALOGUE)
    ids = _ORDERED.answer(session, asked, state, lambda: _read_ordered_ids(session, *asked))
    shown = ids[paging.offset : paging.offset + paging.limit]
    rows = {row[0]: row for row in session.execute(_CHARTED.where(Unit.id.in_(shown)))}
    found = (rows[id_] for id_ in shown if id_ in rows)
    return ChartedUnits(
        [
            ChartedUnit(row[0], row[1], row[2], row[3], Bilingual(row[4], row[5]), row[6])
            for row in found
        ],
        len(ids),
    )


_ORDERED: Final = KeptAnswers(most=8)
"""The order of units needs all of them; the ids are cached until the catalogue changes."""
_CHARTED: Final = select(
    Unit.id, Unit.name, Unit.type, Building.id, Building.name, Building.name_en, Unit.rent_yen
).join(Unit.building)


def _read_ordered_ids(
    session: Session, building_id: str | None, text: str, left_out: Collection[str]
) -> Sequence[str]:
    """Return the ids of the wanted units, by building and name."""
    found = (
        select(Unit.id)
        .join(Unit.building)
        .where(finds(text, Unit.name_text, Building.name_text), Unit.id.not_in(left_out))
        .order_by(Building.name, Building.id, Unit.name_key, Unit.id)
    )
    if building_id:
        found = found.where(Unit.building_id == building_id)
    return session.scalars(found).all()
