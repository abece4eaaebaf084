"""Tells which points a new task of a kind begins with, in one building or in many."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.foundation.prepared import one_of
from pms.rules.enumerations import TaskKind
from pms.upkeep.first_checklists import FIRST_CHECKLISTS
from pms.upkeep.models import ChecklistTemplate


def checklist_points(
    session: Session, kind: TaskKind, building_id: str | None
) -> Sequence[Bilingual]:
    """Return the points of a new task: the building's own, else the workspace's, else the first.

    A list that was emptied on purpose stays empty.
    """
    return points_of_buildings(session, kind, [building_id])[building_id]


def points_of_buildings(
    session: Session, kind: TaskKind, building_ids: Iterable[str | None]
) -> Mapping[str | None, Sequence[Bilingual]]:
    """Return the points of a kind for each of these buildings, asked for at once."""
    wanted = set(building_ids)
    written = _written(session, kind, [one for one in wanted if one is not None])
    everywhere = written.get(None, FIRST_CHECKLISTS.get(kind, ()))
    return {one: written.get(one, everywhere) for one in wanted}


def _written(
    session: Session, kind: TaskKind, building_ids: Sequence[str]
) -> dict[str | None, Sequence[Bilingual]]:
    building = ChecklistTemplate.building_id
    rows = session.execute(
        select(building, ChecklistTemplate.points).where(
            ChecklistTemplate.kind == kind,
            or_(building.is_(None), one_of(building, building_ids)),
        )
    )
    return {building_id: [point_of(one) for one in points] for building_id, points in rows}


def point_of(kept: Mapping[str, str | None]) -> Bilingual:
    """Return a point as a page says it, from how a checklist keeps it."""
    return Bilingual(kept.get("ja"), kept.get("en"))
