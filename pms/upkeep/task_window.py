"""Tells when the unit of a task is free: who left it last, and who comes next."""

from collections.abc import Sequence, Set
from datetime import date, datetime, time
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.reservations.models import Reservation
from pms.rules.addresses import surname
from pms.rules.days import JAPAN
from pms.rules.enumerations import TaskState
from pms.upkeep.models import Task, Visit
from pms.upkeep.reach import STANDS

_MOST_WORDS: Final = 6


def holds_words(
    text: str, *columns: InstrumentedAttribute[str] | InstrumentedAttribute[str | None]
) -> ColumnElement[bool]:
    """Return the condition that every word stands in one of the columns, large or small."""
    words = text.split()[:_MOST_WORDS]
    return and_(
        *(or_(*(column.icontains(word, autoescape=True) for column in columns)) for word in words)
    )


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


class TaskWindow(NamedTuple):
    """The days around a piece of work in a unit, each as far as it is known."""

    previous_on: date | None = None
    """The check-out before it."""
    next_on: date | None = None
    """The arrival after it: the unit is let again already."""
    next_surname: str | None = None
    is_lived_in: bool = False
    """Whether somebody lives there today and is not leaving today."""


def task_window(
    session: Session,
    *,
    unit_id: str | None,
    leaving_id: str | None,
    opens_on: date | None,
    today: date,
) -> TaskWindow:
    """Return the window of a task; work in a whole building has none.

    A turnover lies after the stay it was made for, any other task around the day it opens, or
    around today.
    """
    if unit_id is None:
        return TaskWindow()
    stays = session.execute(
        select(Reservation.id, Reservation.name, Reservation.starts_on, Reservation.ends_on)
        .where(
            Reservation.unit_id == unit_id,
            Reservation.cancelled_at.is_(None),
            Reservation.starts_on.is_not(None),
        )
        .order_by(Reservation.starts_on, Reservation.id)
    ).all()
    return _window(stays, leaving_id, opens_on, today)


def _window(
    stays: Sequence[Any], leaving_id: str | None, opens_on: date | None, today: date
) -> TaskWindow:
    left_on = next((one.ends_on for one in stays if one.id == leaving_id), None)
    since = left_on or opens_on or today
    ended = [one.ends_on for one in stays if one.ends_on and one.ends_on <= since]
    coming = [one for one in stays if one.id != leaving_id and one.starts_on >= since]
    return TaskWindow(
        previous_on=left_on or max(ended, default=None),
        next_on=coming[0].starts_on if coming else None,
        next_surname=surname(coming[0].name) if coming else None,
        is_lived_in=any(_lives(one, today) for one in stays),
    )


def _lives(stay: Any, today: date) -> bool:
    return stay.starts_on <= today and (stay.ends_on is None or stay.ends_on > today)
