"""Works out a room or occupant change before anything is written."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.booking import Booking
from pms.arrivals.booking_plan import BookingPlan, plan_booking
from pms.foundation.errors import Refused
from pms.reservations.changing import lifecycle_now, refuse_move
from pms.reservations.models import CoOccupant, Reservation
from pms.reservations.name_co_occupants import NamedPerson
from pms.reservations.unit_conflicts import refuse_conflict
from pms.reservations.unit_stays import stay_of
from pms.rules.days import LAST_DAY, ONE_DAY
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.taking_over import may_end_on

_PERSON = ("name", "name_kana", "email", "phone", "locale")


def plan_amendment(
    session: Session,
    today: date,
    old: Reservation,
    *,
    last_on: date,
    new_reservation_id: str,
    facts: Mapping[str, Any],
) -> BookingPlan:
    """Return the booking that goes on from the old record; raise `Refused` before any write.

    Who writes it has locked both units.
    """
    _refuse_ending(old, last_on, today)
    booking = Booking(**{**_as_before(session, old, facts), **facts}, **_of_change(old, last_on))
    if booking.unit_id == old.unit_id and booking.name.strip() == old.name:
        raise Refused("amendment: neither the room nor the occupant changes; state another one.")
    # The last day may lie after the agreed end, where somebody else has booked already.
    ended = stay_of(old)._replace(move_out_on=last_on)
    refuse_conflict(session, ended, old.unit_id, today)
    return plan_booking(
        session,
        today,
        booking,
        reservation_id=new_reservation_id,
        beside=(old.id,),
    )


def _refuse_ending(old: Reservation, last_on: date, today: date) -> None:
    refuse_move(lifecycle_now(old, today), Lifecycle.TRANSFERRED, old)
    start_on = stay_of(old).start_on
    if not isinstance(start_on, date):
        raise Refused("moveInDate: it cannot be read; correct it before the tenancy is amended.")
    if not start_on <= last_on < LAST_DAY:
        raise Refused(
            "lastDay: {last_on} is before the move-in on {start_on}, or out of range.",
            last_on=last_on,
            start_on=start_on,
        )
    _refuse_days_billed_before(old, last_on)


def _refuse_days_billed_before(old: Reservation, last_on: date) -> None:
    if not may_end_on(last_on, old.billed_through_on):
        raise Refused(
            "lastDay: {last_on} is refused; the days up to {through_on} were billed before the"
            " take-over.",
            last_on=last_on,
            through_on=old.billed_through_on,
        )


def _of_change(old: Reservation, last_on: date) -> dict[str, Any]:
    return {"kind": ReservationKind(old.kind), "move_in_date": last_on + ONE_DAY}


def _as_before(session: Session, old: Reservation, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What the new record takes over: the unit, the agreed end, and the people unless they change."""
    end_on = stay_of(old).end_on
    before: dict[str, Any] = {
        "unit_id": old.unit_id,
        "contract_end_date": end_on if isinstance(end_on, date) else None,
    }
    if facts.get("name", old.name).strip() == old.name:
        before |= {column: getattr(old, column) for column in _PERSON}
        before["co_occupants"] = _people(session, old.id)
    return before


def _people(session: Session, reservation_id: str) -> tuple[NamedPerson, ...]:
    question = select(CoOccupant.name, CoOccupant.name_kana).where(
        CoOccupant.reservation_id == reservation_id
    )
    rows = session.execute(question.order_by(CoOccupant.position))
    return tuple(NamedPerson(name, kana) for name, kana in rows)
