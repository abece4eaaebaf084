"""When the unit of a task is free."""

from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.reservations.models import Reservation
from pms.rules.addresses import surname
from pms.rules.unit_stays import is_unconfirmed


class TaskWindow(NamedTuple):
    """The stays around a task in a unit, as far as known."""

    previous_on: date | None = None
    """The check-out before it."""
    next_on: date | None = None
    """The arrival after it, when the unit is let again already."""
    next_surname: str | None = None
    is_lived_in: bool = False
    """Whether somebody lives there today and does not leave today."""


def task_window(
    session: Session,
    *,
    unit_id: str | None,
    leaving_id: str | None,
    opens_on: date | None,
    today: date,
) -> TaskWindow:
    """Return the window of a task; work on a whole building has none.

    For a turnover it begins at the stay it was created for, for other tasks at the day the task
    opens, or today.
    """
    if unit_id is None:
        return TaskWindow()
    stays = session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Reservation.starts_on,
            Reservation.ends_on,
            Reservation.lifecycle,
            Reservation.kind,
        )
        .where(
            Reservation.unit_id == unit_id,
            Reservation.cancelled_at.is_(None),
            Reservation.starts_on.is_not(None),
        )
        .order_by(Reservation.starts_on, Reservation.id)
    ).all()
    left_on = next((stay.ends_on for stay in stays if stay.id == leaving_id), None)
    since = left_on or opens_on or today
    ended = [stay.ends_on for stay in stays if stay.ends_on and stay.ends_on <= since]
    coming = [stay for stay in stays if stay.id != leaving_id and stay.starts_on >= since]
    return TaskWindow(
        previous_on=left_on or max(ended, default=None),
        next_on=coming[0].starts_on if coming else None,
        next_surname=surname(coming[0].name) if coming else None,
        is_lived_in=any(_is_living(stay, today) for stay in stays),
    )


def _is_living(stay: Any, today: date) -> bool:
    has_started = stay.starts_on <= today and not is_unconfirmed(stay.lifecycle, stay.kind)
    return has_started and (stay.ends_on is None or stay.ends_on > today)
