"""Reads the tasks of one project as cards."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from pms.rules.enumerations import TaskState
from pms.upkeep.cancelled_tasks import STANDS
from pms.upkeep.reach import Reach
from pms.upkeep.task_cards import BY_NEED, TaskCard, asked_cards, read_cards

_ORDER = (TaskState.DOING, TaskState.TODO, TaskState.ON_HOLD, TaskState.DONE)


def tasks_of_project(session: Session, project_id: str) -> Sequence[TaskCard]:
    """Return the tasks of a project: what is being done first, done last, cancelled not at all."""
    asked = Reach.of_project(project_id).narrow(asked_cards().where(STANDS))
    rows = session.execute(asked.order_by(*BY_NEED))
    return sorted(read_cards(rows), key=lambda card: _ORDER.index(card.state))
