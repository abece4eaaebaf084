"""Moves a visit to another day."""

from datetime import date

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.upkeep.cancel_visit import cancel_visit
from pms.upkeep.plan_visit import plan_visit
from pms.upkeep.reach import Reach


def move_visit(
    session: Session, clock: Clock, actor: str, *, visit_id: str, on_day: date, reach: Reach
) -> str:
    """Return the id of the visit that holds the tasks now, in the order they had.

    Where the person goes there on that day already, the tasks join that visit. Raises `Refused`
    for a day that is past, `NotFound` for a visit out of reach.
    """
    if on_day < clock.today():
        raise Refused("onDay: {day} is past; today is {today}.", day=on_day, today=clock.today())
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
