"""Moves an owner resident out by hand, who owes no notice and is expected by no date."""

from datetime import date

from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.reservations.changing import (
    lifecycle_now,
    mark_changed,
    next_lifecycle,
    refuse_move,
    reservation_to_change,
)
from pms.reservations.models import Reservation
from pms.reservations.unit_conflicts import refuse_conflict, stored_without_overlap
from pms.reservations.unit_stays import stay_of
from pms.rules.days import LAST_DAY
from pms.rules.deeds import Deed
from pms.rules.enumerations import Lifecycle, ReservationKind


def move_out_owner_resident(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    move_out_on: date | None = None,
    expected_version: int | None = None,
) -> Reservation:
    """Record the last day of an owner resident, today unless another is named (States).

    Up to today they have moved out; of a coming day they move out by themselves on the day after.
    Raises `Refused` for anybody else, when nobody lives there, for a day before the move-in, and
    for nights that another reservation holds.
    """
    row = reservation_to_change(session, reservation_id, expected_version)
    today = clock.today()
    day = move_out_on or today
    if row.kind is not ReservationKind.OWNER_RESIDENT:
        raise Refused("moveOutDate: only an owner resident is moved out by hand.")
    state = lifecycle_now(row, today)
    refuse_move(state, Lifecycle.MOVED_OUT, row)
    _refuse_day(row, day)
    refuse_conflict(session, stay_of(row)._replace(move_out_on=day), row.unit_id, today)
    row.lifecycle, row.move_out_date, row.expected_departure_date = state, day, None
    if day <= today:
        row.lifecycle = next_lifecycle(row, Lifecycle.MOVED_OUT)
    mark_changed(row, clock, actor)
    note_change(session, clock, actor, Deed.RESERVATION_MOVED_OUT, row)
    with stored_without_overlap(session):
        session.add(row)
    return row


def _refuse_day(row: Reservation, day: date) -> None:
    start_on = stay_of(row).start_on
    if not isinstance(start_on, date):
        raise Refused("moveOutDate: the move-in date cannot be read; correct it first.")
    if not start_on <= day <= LAST_DAY:
        raise Refused(
            "moveOutDate: {day} is not between the move-in on {start_on} and {latest_on}.",
            day=day,
            start_on=start_on,
            latest_on=LAST_DAY,
        )
