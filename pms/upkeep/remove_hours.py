"""Takes a log of hours back; the row stays, and costs nothing any more."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
from pms.upkeep.models import HoursLog
from pms.upkeep.upkeep_in_hand import open_project_in_hand


def remove_hours(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    project_id: str,
    hours_id: str,
    only_own: bool = False,
) -> None:
    """Take a log back; one that is gone already stays gone, and nothing is written.

    With `only_own` only what the actor logged is found. Raises `NotFound`, and `Refused` when
    the project is over.
    """
    open_project_in_hand(session, project_id)
    wanted = select(HoursLog).where(HoursLog.id == hours_id, HoursLog.project_id == project_id)
    if only_own:
        wanted = wanted.where(HoursLog.logged_by == actor)
    row = session.scalar(wanted) if is_id(hours_id) else None
    if row is None:
        raise NotFound("There are no hours '{hours_id}' in this project.", hours_id=hours_id[:60])
    if row.removed_at is not None:
        return
    row.removed_at, row.removed_by = clock.now(), actor
    told = {"minutes": row.minutes, "worked_on": row.worked_on}
    about = ("maintenance_project", project_id)
    note_change(session, clock, actor, Deed.HOURS_REMOVED, row, subject=about, also=told)
    session.flush()
