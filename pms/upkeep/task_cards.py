"""Reads tasks as cards: what a board or a list shows of one, in one row."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, and_, bindparam, case, select

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.ids import is_id
from pms.foundation.prepared import PreparedInWorkspace
from pms.foundation.prepared_writing import Writing
from pms.rules.enumerations import HoldReason, TaskKind, TaskState
from pms.upkeep.known_task import no_task
from pms.upkeep.models import Inspection, Task
from pms.upkeep.reach import Reach


class TaskCard(NamedTuple):
    """One task as people see it on their way; a turnover has no title of its own."""

    id: str
    kind: TaskKind
    state: TaskState
    hold_reason: HoldReason | None
    moves: int
    state_since: datetime
    title: str | None
    opens_on: date | None
    due_on: date | None
    released_at: datetime | None
    cancelled_at: datetime | None
    assignee_id: str | None
    rework: str | None
    """What an inspector found missing when they sent the task back, until it is done again."""
    unit_name: str | None
    building: Bilingual

    @property
    def next_state(self) -> TaskState | None:
        """Return where the task goes next when nothing gets in its way; a done one nowhere."""
        if self.state is TaskState.DONE:
            return None
        return TaskState.DONE if self.state is TaskState.DOING else TaskState.DOING

    def is_overdue(self, today: date) -> bool:
        """Whether the day it had to be done by has passed."""
        is_open = self.state is not TaskState.DONE
        return is_open and self.due_on is not None and self.due_on < today


# The newest look at an open task; every one that sent it back holds a note.
_NEWEST_LOOK: Final[Any] = (
    select(case((~Inspection.has_passed, Inspection.note)))
    .where(Inspection.workspace_id == Task.workspace_id, Inspection.task_id == Task.id)
    .order_by(Inspection.at.desc(), Inspection.id.desc())
    .limit(1)
    .correlate(Task)
    .scalar_subquery()
)
REWORK: Final[Any] = case((Task.state != TaskState.DONE, _NEWEST_LOOK)).label("rework")
_CARDS: Final[Any] = (
    select(
        Task.id,
        Task.kind,
        Task.state,
        Task.hold_reason,
        Task.moves,
        Task.state_since,
        Task.title,
        Task.opens_on,
        Task.due_on,
        Task.released_at,
        Task.cancelled_at,
        Task.assignee_id,
        REWORK,
        Unit.name,
        Building.name,
        Building.name_en,
    )
    .join(
        Building,
        and_(Building.workspace_id == Task.workspace_id, Building.id == Task.building_id),
    )
    .outerjoin(Unit, and_(Unit.workspace_id == Task.workspace_id, Unit.id == Task.unit_id))
)
_WIDTH: Final = len(TaskCard._fields) + 1
# Asked at every tap on a card.
_ONE: Final = PreparedInWorkspace(
    _CARDS.add_columns(Task.project_id).where(Task.id == bindparam("task_id"))
)

# What is done stands newest first, all else by the day it has to be done by.
BY_NEED: Final[tuple[Any, ...]] = (
    case((Task.state == TaskState.DONE, Task.state_since), else_=None).desc(),
    Task.due_on.is_(None),
    Task.due_on,
    Task.opens_on,
    Task.id,
)


def asked_cards() -> Select[*tuple[Any, ...]]:
    """Return the question for cards, to be narrowed; `read_card` reads its rows."""
    question: Select[*tuple[Any, ...]] = _CARDS
    return question


def read_card(row: Sequence[Any]) -> TaskCard:
    """Return a row of the question as a card; further columns are left."""
    *facts, building, english = row[:_WIDTH]
    return TaskCard._make((*facts, Bilingual(building, english)))


def read_cards(rows: Iterable[Sequence[Any]]) -> Sequence[TaskCard]:
    """Return the rows of the question as cards."""
    return [read_card(row) for row in rows]


def task_card(session: Writing, task_id: str, reach: Reach) -> TaskCard:
    """Return one task as a card; raise `NotFound` for one out of reach."""
    rows = _ONE.all(session, task_id=task_id) if is_id(task_id) else []
    if not rows:
        raise no_task(task_id)
    card = read_card(rows[0])
    if not reach.holds(assignee_id=card.assignee_id, project_id=rows[0][_WIDTH]):
        raise no_task(task_id)
    return card
