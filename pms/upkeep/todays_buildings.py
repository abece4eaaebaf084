"""Says in which buildings somebody works today: there they may see the codes of the handbook."""

from collections.abc import Set
from datetime import date, datetime, time
from typing import Any

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from pms.rules.days import JAPAN
from pms.rules.enumerations import TaskState
from pms.upkeep.cancelled_tasks import STANDS
from pms.upkeep.models import Task, Visit


def todays_buildings(session: Session, person_id: str, today: date) -> Set[str]:
    """Return the buildings of a person's tasks and visits of the day (Surfaces).

    A task of theirs is one that was given to them, or one of nobody that they began; it is of the
    day from when its place is free until it is done, and on the day it was done.
    """
    own = or_(
        Task.assignee_id == person_id,
        and_(Task.assignee_id.is_(None), Task.state_by == f"person/{person_id}"),
    )
    of_tasks: Any = select(Task.building_id).where(own, _is_of(today)).distinct()
    of_visits: Any = select(Visit.building_id).where(
        Visit.person_id == person_id, Visit.on_day == today
    )
    return {*session.scalars(of_tasks), *session.scalars(of_visits)}


def _is_of(today: date) -> ColumnElement[bool]:
    begin = datetime.combine(today, time.min, JAPAN)
    was_done = and_(Task.state == TaskState.DONE, STANDS, Task.state_since >= begin)
    is_begun = Task.state.in_((TaskState.DOING, TaskState.ON_HOLD))
    can_begin = or_(Task.opens_on.is_(None), Task.opens_on <= today)
    return or_(was_done, is_begun, and_(Task.state == TaskState.TODO, can_begin))
