"""Notes when a resident said they will leave (specification, Expected departure recorded)."""

from datetime import date

from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.reservations.changing import lifecycle_now, mark_changed, reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.days import CorruptDay
from pms.rules.deeds import Deed
from pms.rules.enumerations import Lifecycle


def record_expected_departure(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    expected_departure_on: date | None,
    expected_version: int | None = None,
) -> Reservation:
    """Note the day, or take it back with None; no bill, no night and no notice follows from it.

    Raises `Refused` when a notice is filed, when nobody lives there, and for a day past.
    """
    row = reservation_to_change(session, reservation_id, expected_version)
    if expected_departure_on is not None:
        _refuse_unless_living(row, clock.today())
        _refuse_day(row, expected_departure_on, clock.today())
    row.expected_departure_date = expected_departure_on
    mark_changed(row, clock, actor)
    note_change(session, clock, actor, _deed(expected_departure_on), row)
    session.flush()
    return row


def _deed(day: date | None) -> Deed:
    is_cleared = day is None
    return Deed.EXPECTED_DEPARTURE_CLEARED if is_cleared else Deed.EXPECTED_DEPARTURE_RECORDED


def _refuse_unless_living(row: Reservation, today: date) -> None:
    if row.lifecycle == Lifecycle.NOTICE_FILED or row.move_out_date is not None:
        raise Refused("expectedDepartureDate: a move-out is filed, so its day is known.")
    state = lifecycle_now(row, today)
    if state != Lifecycle.LIVING:
        raise Refused(
            "expectedDepartureDate: only who is living is expected to leave; this one is {state}.",
            state=state,
        )


def _refuse_day(row: Reservation, day: date, today: date) -> None:
    if day < today:
        raise Refused(
            "expectedDepartureDate: {day} is past; today is {today}.", day=day, today=today
        )
    start = row.override_move_in_date or row.move_in_date
    if not isinstance(start, CorruptDay) and start is not None and day < start:
        raise Refused(
            "expectedDepartureDate: {day} is before the move-in on {start_on}.",
            day=day,
            start_on=start,
        )
