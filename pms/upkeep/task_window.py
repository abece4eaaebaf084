"""Tells when the unit of a task is free: who left it last, and who comes next."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.reservations.models import Reservation
from pms.rules.surname import surname


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
