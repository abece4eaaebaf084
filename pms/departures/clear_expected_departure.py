"""Takes back that a resident said they will leave (specification, Expected departure recorded)."""

from sqlalchemy.orm import Session

from pms.departures.record_expected_departure import record_expected_departure
from pms.foundation.clock import Clock
from pms.reservations.models import Reservation


def clear_expected_departure(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    expected_version: int | None = None,
) -> Reservation:
    """Forget the expected departure; the unit no longer shows as possibly available."""
    return record_expected_departure(
        session,
        clock,
        actor,
        reservation_id=reservation_id,
        expected_departure_on=None,
        expected_version=expected_version,
    )
