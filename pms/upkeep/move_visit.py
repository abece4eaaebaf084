"""Moves a visit to another day."""

from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.upkeep.cancel_visit import cancel_visit
from pms.upkeep.models import Visit
from pms.upkeep.plan_visit import plan_visit, visit_of_day
from pms.upkeep.reach import Reach
from pms.upkeep.visit_tasks import lock_plans, lock_visits


def move_visit(
    session: Session, clock: Clock, actor: str, *, visit_id: str, on_day: date, reach: Reach
) -> str:
    """Return the id of the visit that holds the tasks now, in the order they had.

    Where the person goes there on that day already, the tasks join that visit. Raises `Refused`
    for a day that is past, `NotFound` for a visit out of reach.
    """
    if on_day < clock.today():
        raise Refused("onDay: {day} is past; today is {today}.", day=on_day, today=clock.today())
    _lock_both(session, visit_id, on_day)
    was = cancel_visit(session, clock, actor, visit_id=visit_id, reach=reach)
    return plan_visit(
        session,
        clock,
        actor,
        person_id=was.person_id,
        building_id=was.building_id,
        on_day=on_day,
        task_ids=was.task_ids,
        note=was.note,
        reach=reach,
    )


def _lock_both(session: Session, visit_id: str, on_day: date) -> None:
    """Lock the visit and the one its tasks may join, in the order of their ids."""
    known = select(Visit.person_id, Visit.building_id).where(Visit.id == visit_id)
    row = session.execute(known).one_or_none() if is_id(visit_id) else None
    if row is not None:
        lock_plans(session, building_id=row.building_id)
        joined = visit_of_day(session, row.person_id, row.building_id, on_day)
        lock_visits(session, [], also=[visit_id, *([joined] if joined else [])])
