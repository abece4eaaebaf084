"""Logs time that somebody worked on a project."""

from datetime import date
from typing import Final

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_LINE, checked_number, checked_text
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.sent_once import is_new
from pms.rules.deeds import Deed
from pms.upkeep.checked_log import refuse_coming, task_of_project
from pms.upkeep.models import HoursLog
from pms.upkeep.upkeep_in_hand import open_project_in_hand

MOST_MINUTES: Final = 24 * 60
MOST_HOURLY_YEN: Final = 100_000


def log_hours(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    project_id: str,
    worked_on: date,
    minutes: int,
    task_id: str | None = None,
    hourly_yen: int | None = None,
    note: str | None = None,
    key: str | None = None,
) -> str | None:
    """Return the id of the log, or nothing when this key arrived before.

    Without a price of an hour in whole yen the time costs nothing. Raises `Refused` for a day to
    come, for less than a minute or more than a day, and for a project that is over.
    """
    if not is_new(session, clock, actor, key):
        return None
    open_project_in_hand(session, project_id)
    refuse_coming("workedOn", worked_on, clock.today())
    if checked_number("minutes", minutes, 1, MOST_MINUTES) is None:
        raise Refused("minutes: say how long.")
    row = HoursLog(
        id=new_id(),
        project_id=project_id,
        task_id=task_of_project(session, project_id, task_id),
        worked_on=worked_on,
        minutes=minutes,
        hourly_yen=checked_number("hourlyYen", hourly_yen, 0, MOST_HOURLY_YEN),
        note=checked_text("note", note, LONGEST_LINE),
        logged_at=clock.now(),
        logged_by=actor,
    )
    session.add(row)
    about = ("maintenance_project", project_id)
    note_change(session, clock, actor, Deed.HOURS_LOGGED, row, subject=about)
    session.flush()
    return row.id
