"""Reads the checklists of a workspace as the office edits them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID, uuid5

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.foundation.bilingual import Bilingual
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.tenancy import workspace_of
from pms.rules.enumerations import TaskKind
from pms.upkeep.checklist_points import point_of
from pms.upkeep.first_checklists import FIRST_CHECKLISTS
from pms.upkeep.models import ChecklistTemplate

LISTED: Final = (*FIRST_CHECKLISTS, TaskKind.OTHER)
"""The kinds of tasks, in the order of a page."""


class OwnChecklist(NamedTuple):
    """A building that has a checklist of its own."""

    building_id: str
    building: Bilingual
    size: int


class ListedChecklist(NamedTuple):
    """The checklist of a kind: its points everywhere, and the buildings with their own."""

    kind: TaskKind
    points: Sequence[Bilingual]
    is_written: bool
    own: Sequence[OwnChecklist]


class ChecklistRecord(NamedTuple):
    """One checklist to edit; version 0 stands for one that is not written yet."""

    id: str
    kind: TaskKind
    building_id: str | None
    building: Bilingual | None
    points: Sequence[Bilingual]
    version: int


def listed_checklists(session: Session) -> Sequence[ListedChecklist]:
    """Return the checklist of every kind."""
    everywhere: dict[TaskKind, Sequence[Bilingual]] = {}
    own: Mapping[TaskKind, list[OwnChecklist]] = defaultdict(list)
    rows = session.execute(
        select(ChecklistTemplate, Building.name, Building.name_en)
        .outerjoin(
            Building,
            and_(
                Building.workspace_id == ChecklistTemplate.workspace_id,
                Building.id == ChecklistTemplate.building_id,
            ),
        )
        .order_by(Building.name, ChecklistTemplate.id)
    )
    for row, name, english in rows:
        if row.building_id is None:
            everywhere[row.kind] = [point_of(point) for point in row.points]
        else:
            building = Bilingual(name, english)
            own[row.kind].append(OwnChecklist(row.building_id, building, len(row.points)))
    return [
        ListedChecklist(
            kind,
            everywhere.get(kind, FIRST_CHECKLISTS.get(kind, ())),
            kind in everywhere,
            own[kind],
        )
        for kind in LISTED
    ]


def checklist_record(
    session: Session, kind: TaskKind, building_id: str | None = None
) -> ChecklistRecord:
    """Return a checklist to edit: what is not written yet begins with what stands for it now.

    Raises `NotFound` for a building that is not of this workspace.
    """
    found = session.scalars(select(ChecklistTemplate).where(ChecklistTemplate.kind == kind)).all()
    rows = {row.building_id: row for row in found}
    building = None if building_id is None else _building(session, building_id)
    stored = rows.get(building_id)
    shown = stored or rows.get(None)
    first = FIRST_CHECKLISTS.get(kind, ())
    points = first if shown is None else [point_of(point) for point in shown.points]
    id_ = stored.id if stored else checklist_id(session, kind, building_id)
    return ChecklistRecord(
        id_, kind, building_id, building, points, stored.version if stored else 0
    )


def checklist_id(session: Session, kind: TaskKind, building_id: str | None) -> str:
    """Return the one id that a checklist can have: two who write it at once write the same."""
    name = f"{kind.value}/{building_id or ''}"
    return uuid5(UUID(hex=workspace_of(session)), name).hex


def _building(session: Session, building_id: str) -> Bilingual:
    found = None
    if is_id(building_id):
        names = select(Building.name, Building.name_en).where(Building.id == building_id)
        found = session.execute(names).first()
    if found is None:
        raise NotFound("There is no building '{id}'.", id=building_id[:60])
    return Bilingual(*found)
