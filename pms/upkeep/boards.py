"""The board of tasks: cards, filters and counts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, NamedTuple, TypeVarTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, func, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.db import Instant
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import PreparedInWorkspace, one_of
from pms.foundation.tenancy import refers_to
from pms.rules.days import JAPAN
from pms.rules.enumerations import HoldReason, ProjectState, TaskKind, TaskState
from pms.upkeep.models import Inspection, MaintenanceProject, MaintenanceRequest, Task
from pms.upkeep.project_lists import ProjectRecord, ProjectSearch, costs_of_projects, project_list
from pms.upkeep.task_visibility import STANDS, TaskVisibility


class TaskCard(NamedTuple):
    """One task as lists and boards show it; a turnover has no title of its own."""

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
        """Return the next state in the usual order; `None` for a done task."""
        if self.state is TaskState.DONE:
            return None
        return TaskState.DONE if self.state is TaskState.DOING else TaskState.DOING

    def is_overdue(self, today: date) -> bool:
        """Whether the task is open and its due day has passed."""
        is_open = self.state is not TaskState.DONE
        return is_open and self.due_on is not None and self.due_on < today


# The newest inspection of an open task; every one that sent it back has a note.
_NEWEST_LOOK: Final[Any] = (
    select(case((~Inspection.has_passed, Inspection.note)))
    .where(refers_to(Inspection.task_id, Task))
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
    .join(Building, refers_to(Task.building_id, Building))
    .outerjoin(Unit, refers_to(Task.unit_id, Unit))
)
_WIDTH: Final = len(TaskCard._fields) + 1
# Run at every move of a card.
_ONE: Final = PreparedInWorkspace(
    _CARDS.add_columns(Task.project_id).where(Task.id == bindparam("task_id"))
)

# Done tasks newest first, all others by due day.
BY_NEED: Final[tuple[Any, ...]] = (
    case((Task.state == TaskState.DONE, Task.state_since), else_=None).desc(),
    Task.due_on.is_(None),
    Task.due_on,
    Task.opens_on,
    Task.id,
)


def asked_cards() -> Select[*tuple[Any, ...]]:
    """Return the query of cards, without conditions; `read_card` reads its rows."""
    question: Select[*tuple[Any, ...]] = _CARDS
    return question


def read_card(row: Sequence[Any]) -> TaskCard:
    """Return a row of the query as a card; further columns are ignored."""
    *facts, building, english = row[:_WIDTH]
    return TaskCard._make((*facts, Bilingual(building, english)))


def read_cards(rows: Iterable[Sequence[Any]]) -> Sequence[TaskCard]:
    """Return the rows of the query as cards."""
    return [read_card(row) for row in rows]


def task_card(session: Session, task_id: str, visibility: TaskVisibility) -> TaskCard:
    """Return one task as a card; raise `NotFound` for an unknown or invisible one."""
    rows = _ONE.all(session, task_id=task_id) if is_id(task_id) else []
    if not rows:
        raise no_such("task", task_id)
    card = read_card(rows[0])
    if not visibility.holds(assignee_id=card.assignee_id, project_id=rows[0][_WIDTH]):
        raise no_such("task", task_id)
    return card


Columns = TypeVarTuple("Columns")
RECENT_DAYS: Final = 7
"""How many days a done task stays on the board."""
NOBODY: Final = "nobody"


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """Filters of the visible tasks; `person_id` may be `NOBODY`."""

    on: date | None = None
    building_id: str | None = None
    person_id: str | None = None
    kind: TaskKind | None = None

    def narrow(
        self, question: Select[*Columns], visibility: TaskVisibility, today: date
    ) -> Select[*Columns]:
        """Return the query limited to visible tasks that match; long-done ones are left out."""
        found = [STANDS, _is_on(self.on, today) if self.on else _is_current(today)]
        if self.building_id:
            found.append(Task.building_id == self.building_id)
        if self.kind:
            found.append(Task.kind == self.kind)
        if self.person_id == NOBODY:
            found.append(Task.assignee_id.is_(None))
        elif self.person_id:
            found.append(Task.assignee_id == self.person_id)
        return visibility.narrow(question).where(*found)


def current_since(today: date) -> datetime:
    """Return the instant since when done tasks are shown on the board."""
    return _begin_of(today - timedelta(days=RECENT_DAYS))


def _is_current(today: date) -> ColumnElement[bool]:
    return or_(Task.state != TaskState.DONE, Task.state_since >= current_since(today))


def _is_on(day: date, today: date) -> ColumnElement[bool]:
    """Tasks that can be or were done on a day; today includes late, begun and undated ones."""
    is_done = Task.state == TaskState.DONE
    was_done = and_(
        is_done,
        Task.state_since >= _begin_of(day),
        Task.state_since < _begin_of(day + timedelta(days=1)),
    )
    begins = func.coalesce(Task.opens_on, Task.due_on)
    if day == today:
        can_be_done = or_(begins.is_(None), begins <= day, Task.state != TaskState.TODO)
    else:
        can_be_done = and_(begins <= day, or_(Task.due_on.is_(None), Task.due_on >= day))
    return or_(was_done, and_(~is_done, can_be_done))


def _begin_of(day: date) -> datetime:
    return datetime.combine(day, time.min, JAPAN)


CARDS_A_COLUMN: Final = 15


class BoardColumn(NamedTuple):
    """Tasks in one state: some of them, and the total count."""

    state: TaskState
    cards: Sequence[TaskCard]
    total: int


def task_board(
    session: Session, visibility: TaskVisibility, asked: TaskFilter, today: date
) -> Sequence[BoardColumn]:
    """Return the four columns in the order of the work, with one query."""
    placed: Any = asked.narrow(
        select(
            Task.id,
            func.row_number().over(partition_by=Task.state, order_by=BY_NEED).label("place"),
            func.count().over(partition_by=Task.state).label("total"),
        ),
        visibility,
        today,
    ).subquery()
    rows = session.execute(
        asked_cards()
        .add_columns(placed.c.total)
        .join(placed, placed.c.id == Task.id)
        .where(placed.c.place <= CARDS_A_COLUMN)
        .order_by(placed.c.place)
    ).all()
    cards: dict[TaskState, list[TaskCard]] = defaultdict(list)
    for row in rows:
        cards[row.state].append(read_card(row))
    totals = {row.state: row.total for row in rows}
    return [BoardColumn(state, cards[state], totals.get(state, 0)) for state in TaskState]


def task_column(
    session: Session,
    visibility: TaskVisibility,
    asked: TaskFilter,
    today: date,
    *,
    state: TaskState,
    page: int,
) -> BoardColumn:
    """Return one page of one column, counted from 1."""
    paging = Paging(page, CARDS_A_COLUMN)
    question = asked.narrow(asked_cards(), visibility, today).where(Task.state == state)
    counted = question.add_columns(func.count().over()).order_by(*BY_NEED)
    rows = session.execute(counted.offset(paging.offset).limit(paging.limit)).all()
    return BoardColumn(state, read_cards(rows), rows[0][-1] if rows else 0)


_NO_FILTER: Final = TaskFilter()
_BOARD: Final = PreparedInWorkspace(
    select(Task.state, func.count())
    .where(
        STANDS,
        or_(
            Task.state != TaskState.DONE,
            Task.state_since >= bindparam("since", type_=Instant()),
        ),
    )
    .group_by(Task.state)
)


def task_counts(
    session: Session, visibility: TaskVisibility, asked: TaskFilter, today: date
) -> Mapping[TaskState, int]:
    """Return the number of tasks in each column."""
    if visibility.is_everything and asked == _NO_FILTER:
        # An instant as text that both databases can compare.
        rows = _BOARD.all(
            session, since=current_since(today).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        )
        found = {row[0]: row[1] for row in rows}
    else:
        question = asked.narrow(select(Task.state, func.count()), visibility, today)
        asked_now = session.execute(question.group_by(Task.state))
        found = {row[0]: row[1] for row in asked_now}
    return {state: found.get(state, 0) for state in TaskState}


def open_work_of_buildings(session: Session, building_ids: Sequence[str]) -> Mapping[str, int]:
    """Return the number of open projects of each building that has any."""
    rows = session.execute(
        select(MaintenanceProject.building_id, func.count())
        .where(
            one_of(MaintenanceProject.building_id, building_ids),
            MaintenanceProject.state == ProjectState.OPEN,
        )
        .group_by(MaintenanceProject.building_id)
    )
    return dict(rows.all())


class OwnersProject(NamedTuple):
    """A project as the owner sees it; without its title when a resident may have written it."""

    project: ProjectRecord
    title: str | None
    cost_yen: int


def projects_with_cost(
    session: Session, building_id: str, paging: Paging
) -> tuple[Sequence[OwnersProject], int]:
    """Return one page of a building's projects, newest first, each with its cost in yen."""
    found = project_list(session, ProjectSearch(state=None, building_id=building_id), paging)
    ids = [project.id for project in found.projects]
    # A report's first line becomes the title: it may contain a name or a telephone number.
    asked = select(MaintenanceRequest.project_id).where(
        one_of(MaintenanceRequest.project_id, ids),
        MaintenanceRequest.reservation_id.is_not(None),
    )
    costs, worded = costs_of_projects(session, ids), {id_ for id_ in session.scalars(asked) if id_}
    projects = [
        OwnersProject(
            project, None if project.id in worded else project.title, costs[project.id].total_yen
        )
        for project in found.projects
    ]
    return projects, found.total
