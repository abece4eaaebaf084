"""Checklists: the templates of each kind of task, and their points."""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid5

from sqlalchemy import or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.checks import check_text
from pms.catalogue.models import Building
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.stored_forms import read_stored
from pms.foundation.tenancy import refers_to, workspace_of
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TaskKind
from pms.upkeep.models import ChecklistTemplate

FIRST_CHECKLISTS: Final[Mapping[TaskKind, Sequence[Bilingual]]] = {
    TaskKind(kind): [Bilingual(point["ja"], point["en"]) for point in points]
    for kind, points in tomllib.loads(
        Path(__file__).with_name("first_checklists.toml").read_text(encoding="utf-8")
    ).items()
}
"""Used where no checklist was written; kinds that are not listed have none."""


def checklist_points(
    session: Session, kind: TaskKind, building_id: str | None
) -> Sequence[Bilingual]:
    """Return the points of a new task: the building's, the workspace's, or the built-in ones.

    A list that was emptied on purpose stays empty.
    """
    return points_of_buildings(session, kind, [building_id])[building_id]


def points_of_buildings(
    session: Session, kind: TaskKind, building_ids: Iterable[str | None]
) -> Mapping[str | None, Sequence[Bilingual]]:
    """Return the points of a kind for each of these buildings, with one query."""
    wanted = set(building_ids)
    written = _read_written_points(
        session, kind, [building_id for building_id in wanted if building_id is not None]
    )
    everywhere = written.get(None, FIRST_CHECKLISTS.get(kind, ()))
    return {building_id: written.get(building_id, everywhere) for building_id in wanted}


def _read_written_points(
    session: Session, kind: TaskKind, building_ids: Sequence[str]
) -> dict[str | None, Sequence[Bilingual]]:
    building = ChecklistTemplate.building_id
    rows = session.execute(
        select(building, ChecklistTemplate.points).where(
            ChecklistTemplate.kind == kind,
            or_(building.is_(None), one_of(building, building_ids)),
        )
    )
    return {building_id: points_of(points) for building_id, points in rows}


@dataclass(frozen=True, slots=True)
class _KeptPoint:
    ja: str | None = None
    en: str | None = None


def points_of(kept: Any) -> Sequence[Bilingual]:
    """Return the texts of a stored checklist; raise `StoredUnreadable`."""
    return [Bilingual(each.ja, each.en) for each in read_stored(list[_KeptPoint], kept)]


LISTED: Final = (*FIRST_CHECKLISTS, TaskKind.OTHER)
"""The kinds of tasks, in the order of the page."""


class OwnChecklist(NamedTuple):
    """A building that has a checklist of its own."""

    building_id: str
    building: Bilingual
    size: int


class ListedChecklist(NamedTuple):
    """The checklist of a kind: the workspace's points, and the buildings with their own."""

    kind: TaskKind
    points: Sequence[Bilingual]
    is_written: bool
    own: Sequence[OwnChecklist]


class ChecklistRecord(NamedTuple):
    """One checklist to edit; version 0 means that it is not stored yet."""

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
        .outerjoin(Building, refers_to(ChecklistTemplate.building_id, Building))
        .order_by(Building.name, ChecklistTemplate.id)
    )
    for row, name, english in rows:
        if row.building_id is None:
            everywhere[row.kind] = points_of(row.points)
        else:
            building = Bilingual(name, english)
            own[row.kind].append(
                OwnChecklist(row.building_id, building, len(points_of(row.points)))
            )
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
    """Return a checklist to edit; one not stored yet begins with the points that apply now.

    Raises `NotFound` for a building that is not of this workspace.
    """
    found = session.scalars(select(ChecklistTemplate).where(ChecklistTemplate.kind == kind)).all()
    rows = {row.building_id: row for row in found}
    building = None
    if building_id is not None:
        names = select(Building.name, Building.name_en).where(Building.id == building_id)
        named = session.execute(names).first() if is_id(building_id) else None
        if named is None:
            raise no_such("building", building_id)
        building = Bilingual(*named)
    stored = rows.get(building_id)
    shown = stored or rows.get(None)
    first = FIRST_CHECKLISTS.get(kind, ())
    points = first if shown is None else points_of(shown.points)
    id_ = stored.id if stored else checklist_id(session, kind, building_id)
    return ChecklistRecord(
        id_, kind, building_id, building, points, stored.version if stored else 0
    )


def checklist_id(session: Session, kind: TaskKind, building_id: str | None) -> str:
    """Return the id of a checklist, derived from kind and building: concurrent inserts conflict."""
    name = f"{kind.value}/{building_id or ''}"
    return uuid5(UUID(hex=workspace_of(session)), name).hex


MOST_POINTS: Final = 60
LONGEST_POINT: Final = 200


def write_checklist(
    work: Work,
    *,
    kind: TaskKind,
    building_id: str | None,
    points: Sequence[Bilingual],
    version: int,
) -> int:
    """Store the points in their order and return the version; existing tasks keep their points.

    A point may be in one language only; empty ones are left out. Raises `NotFound` for an unknown
    building, `Refused` for a text that is too long or for too many points, and `Collision` for an
    outdated version.
    """
    record = checklist_record(work.session, kind, building_id)
    texts = (
        Bilingual(*(check_text("points", word, LONGEST_POINT) for word in point))
        for point in points
    )
    checked = [point for point in texts if point.ja or point.en]
    if len(checked) > MOST_POINTS:
        raise Refused(
            "points: there are {count} items. At most {most} are possible.",
            count=len(checked),
            most=MOST_POINTS,
        )
    row = written_checklist(work.session, kind, building_id)
    if (row.version if row else 0) != version:
        raise _changed_meanwhile()
    before = record.points
    if row is None:
        row = ChecklistTemplate(id=record.id, kind=kind, building_id=building_id, version=0)
    elif list(before) == checked:
        return row.version
    row.points = [{"ja": point.ja, "en": point.en} for point in checked]
    row.version += 1
    row.updated_at, row.updated_by = work.clock.now(), work.actor
    facts = {"kind": kind, "building_id": building_id, "points": point_facts(checked)}
    was = {"points": point_facts(before)}
    about = ("checklist_template", row.id)
    try:
        with work.session.begin_nested():
            work.session.add(row)
    except IntegrityError as second:
        raise _changed_meanwhile() from second
    note_audit_event(work, AuditEvent.CHECKLIST_WRITTEN, about, before=was, after=facts)
    return row.version


def point_facts(points: Sequence[Bilingual]) -> list[str]:
    """Return points as the audit stores them: both languages on one line."""
    return [" / ".join(word for word in point if word) for point in points]


def written_checklist(
    session: Session, kind: TaskKind, building_id: str | None
) -> ChecklistTemplate | None:
    """Return the stored checklist, locked, if there is one."""
    is_it = ChecklistTemplate.building_id == building_id
    if building_id is None:
        is_it = ChecklistTemplate.building_id.is_(None)
    wanted = select(ChecklistTemplate).where(ChecklistTemplate.kind == kind, is_it)
    return session.scalars(
        wanted.with_for_update().execution_options(populate_existing=True)
    ).one_or_none()


def _changed_meanwhile() -> Collision:
    return Collision("points: a colleague changed this list in the meantime. Check it again.")


def remove_checklist(work: Work, *, kind: TaskKind, building_id: str | None) -> None:
    """Delete a stored checklist, so that the workspace's or the built-in list applies again."""
    before = checklist_record(work.session, kind, building_id)
    row = written_checklist(work.session, kind, building_id)
    if row is None:
        return
    work.session.delete(row)
    work.session.flush()
    after = checklist_record(work.session, kind, building_id)
    about = ("checklist_template", before.id)
    was, now = ({"points": point_facts(record.points)} for record in (before, after))
    note_audit_event(work, AuditEvent.CHECKLIST_WRITTEN, about, before=was, after=now)
    work.session.flush()
