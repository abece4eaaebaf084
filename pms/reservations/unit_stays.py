"""Every stay of one unit as the rules of occupancy read it, those long past included."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.reservations.models import Reservation
from pms.rules.contract_dates import effective_day
from pms.rules.stays import Stay


def unit_stays(session: Session, unit_id: str) -> tuple[Stay, ...]:
    """Return the stays of a unit that were not cancelled, whenever they were."""
    question = select(Reservation).where(
        Reservation.unit_id == unit_id, Reservation.cancelled_at.is_(None)
    )
    return tuple(stay_of(row) for row in session.scalars(question))


def stay_of(row: Reservation) -> Stay:
    """Return a reservation as the rules of occupancy read it (specification, Contract dates)."""
    return Stay(
        id=row.id,
        start_on=effective_day(row.move_in_date, row.override_move_in_date),
        end_on=effective_day(row.contract_end_date, row.override_contract_end_date),
        move_out_on=row.move_out_date,
        expected_departure_on=row.expected_departure_date,
        is_forced=row.forced_on is not None,
        kind=row.kind,
        is_cancelled=row.cancelled_at is not None,
    )
