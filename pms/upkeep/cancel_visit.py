"""Calls a visit off; its tasks go back to be planned anew."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.upkeep.reach import Reach
from pms.upkeep.visit_facts import note_visit
from pms.upkeep.visit_in_hand import visit_in_hand
from pms.upkeep.visit_tasks import take_out, tasks_in_order


class CancelledVisit(NamedTuple):
    """A visit as it was planned, its tasks in their order."""

    person_id: str
    building_id: str
    on_day: date
    note: str | None
    task_ids: Sequence[str]


def cancel_visit(
    session: Session, clock: Clock, actor: str, *, visit_id: str, reach: Reach
) -> CancelledVisit:
    """Drop the visit and return it as it was.

    Raises `NotFound` for a visit out of reach.
    """
    visit = visit_in_hand(session, visit_id, reach)
    tasks = tasks_in_order(session, visit_id)
    note_visit(session, clock, actor, Deed.VISIT_CANCELLED, visit, count=len(tasks))
    take_out(session, clock, actor, tasks=tasks)
    session.delete(visit)
    session.flush()
    was = (visit.person_id, visit.building_id, visit.on_day, visit.note)
    return CancelledVisit(*was, [task.id for task in tasks])
