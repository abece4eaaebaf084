"""The board of tasks: a column a state, the first cards of each, and how many there are."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.paging import Paging
from pms.rules.enumerations import TaskState
from pms.upkeep.models import Task
from pms.upkeep.reach import Reach
from pms.upkeep.task_cards import BY_NEED, TaskCard, asked_cards, read_card, read_cards
from pms.upkeep.task_filter import TaskFilter

CARDS_A_COLUMN: Final = 20


class Column(NamedTuple):
    """Tasks in one state: some of them, and how many there are."""

    state: TaskState
    cards: Sequence[TaskCard]
    total: int


def task_board(session: Session, reach: Reach, asked: TaskFilter, today: date) -> Sequence[Column]:
    """Return the four columns in the order of the work, by one question whatever they hold."""
    placed: Any = asked.narrow(
        select(
            Task.id,
            func.row_number().over(partition_by=Task.state, order_by=BY_NEED).label("place"),
            func.count().over(partition_by=Task.state).label("total"),
        ),
        reach,
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
    return [Column(state, cards[state], totals.get(state, 0)) for state in TaskState]


def task_column(
    session: Session,
    reach: Reach,
    asked: TaskFilter,
    today: date,
    *,
    state: TaskState,
    page: int,
) -> Column:
    """Return one page of one column, counted from 1."""
    paging = Paging(page, CARDS_A_COLUMN)
    question = asked.narrow(asked_cards(), reach, today).where(Task.state == state)
    counted = question.add_columns(func.count().over()).order_by(*BY_NEED)
    rows = session.execute(counted.offset(paging.offset).limit(paging.limit)).all()
    return Column(state, read_cards(rows), rows[0][-1] if rows else 0)
