"""Removing hours and purchases from a project."""

from typing import TypeVar

from sqlalchemy import select

from pms.foundation.audit import note_change
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.upkeep.models import HoursLog, Purchase
from pms.upkeep.tasks import lock_open_project

Line = TypeVar("Line", HoursLog, Purchase)


def _line_to_remove(
    work: Work, model: type[Line], project_id: str, line_id: str, *, only_own: bool
) -> Line | None:
    lock_open_project(work.session, project_id)
    wanted = select(model).where(model.id == line_id, model.project_id == project_id)
    if only_own:
        wanted = wanted.where(model.logged_by == work.actor)
    return work.session.scalar(wanted) if is_id(line_id) else None


def remove_hours(work: Work, *, project_id: str, hours_id: str, only_own: bool = False) -> None:
    """Remove an entry of hours; one that is removed already is left unchanged.

    With `only_own` only entries of the actor are found. Raises `NotFound`, and `Refused` when the
    project is over.
    """
    row = _line_to_remove(work, HoursLog, project_id, hours_id, only_own=only_own)
    if row is None:
        raise NotFound("This project has no hours '{hours_id}'.", hours_id=hours_id[:60])
    if row.removed_at is not None:
        return
    row.removed_at, row.removed_by = work.clock.now(), work.actor
    facts = {"minutes": row.minutes, "worked_on": row.worked_on}
    about = ("maintenance_project", project_id)
    note_change(work, AuditEvent.HOURS_REMOVED, row, subject=about, also=facts)
    work.session.flush()


def remove_purchase(
    work: Work, *, project_id: str, purchase_id: str, only_own: bool = False
) -> None:
    """Remove a purchase; one that is removed already is left unchanged.

    With `only_own` only purchases of the actor are found. Raises `NotFound`, and `Refused` when the
    project is over.
    """
    row = _line_to_remove(work, Purchase, project_id, purchase_id, only_own=only_own)
    if row is None:
        raise NotFound(
            "This project has no purchase '{purchase_id}'.", purchase_id=purchase_id[:60]
        )
    if row.removed_at is not None:
        return
    row.removed_at, row.removed_by = work.clock.now(), work.actor
    facts = {"what": row.what, "amount_yen": row.amount_yen}
    about = ("maintenance_project", project_id)
    note_change(work, AuditEvent.PURCHASE_REMOVED, row, subject=about, also=facts)
    work.session.flush()
