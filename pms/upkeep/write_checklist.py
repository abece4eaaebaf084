"""Writes the checklist that new tasks of a kind begin with."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import checked_text
from pms.foundation.audit import note_deed
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.rules.deeds import Deed
from pms.rules.enumerations import TaskKind
from pms.upkeep.checklists import checklist_record
from pms.upkeep.models import ChecklistTemplate

MOST_POINTS: Final = 60
LONGEST_POINT: Final = 200


def write_checklist(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    kind: TaskKind,
    building_id: str | None,
    points: Sequence[Bilingual],
    version: int,
) -> int:
    """Write the points in their order and return the version; tasks there are keep their own.

    A point may be written in one language only; one without words is left out. Raises `NotFound`
    for another's building, `Refused` for a text that is too long or for too many points, and
    `Collision` when somebody wrote the list since that version was seen.
    """
    record = checklist_record(session, kind, building_id)
    checked = _checked(points)
    row = written_checklist(session, kind, building_id)
    if (row.version if row else 0) != version:
        raise _changed_meanwhile()
    before = record.points
    if row is None:
        row = ChecklistTemplate(id=record.id, kind=kind, building_id=building_id, version=0)
    elif list(before) == checked:
        return row.version
    row.points = [{"ja": point.ja, "en": point.en} for point in checked]
    row.version += 1
    row.updated_at, row.updated_by = clock.now(), actor
    told = {"kind": kind, "building_id": building_id, "points": told_points(checked)}
    was = {"points": told_points(before)}
    about = ("checklist_template", row.id)
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError as second:
        raise _changed_meanwhile() from second
    note_deed(session, clock, actor, Deed.CHECKLIST_WRITTEN, about, before=was, after=told)
    return row.version


def told_points(points: Sequence[Bilingual]) -> list[str]:
    """Return points as the audit keeps them: both languages on one line."""
    return [" / ".join(word for word in point if word) for point in points]


def written_checklist(
    session: Session, kind: TaskKind, building_id: str | None
) -> ChecklistTemplate | None:
    """Return the stored checklist, locked, if somebody wrote it."""
    is_it = ChecklistTemplate.building_id == building_id
    if building_id is None:
        is_it = ChecklistTemplate.building_id.is_(None)
    wanted = select(ChecklistTemplate).where(ChecklistTemplate.kind == kind, is_it)
    return session.scalars(
        wanted.with_for_update().execution_options(populate_existing=True)
    ).one_or_none()


def _checked(points: Sequence[Bilingual]) -> list[Bilingual]:
    texts = (
        Bilingual(*(checked_text("points", word, LONGEST_POINT) for word in point))
        for point in points
    )
    checked = [point for point in texts if point.ja or point.en]
    if len(checked) > MOST_POINTS:
        raise Refused(
            "points: these are {count} points; {most} at most.",
            count=len(checked),
            most=MOST_POINTS,
        )
    return checked


def _changed_meanwhile() -> Collision:
    return Collision("points: somebody else wrote this list meanwhile; look at it again.")
