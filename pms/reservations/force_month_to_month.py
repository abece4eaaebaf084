"""Forces a living tenancy month to month (specification, Month to month, Forced by staff)."""

from datetime import date

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.reservations.changing import lifecycle_now, mark_changed, reservation_to_change
from pms.reservations.models import ForcedMonthToMonth, Reservation
from pms.rules.enumerations import Lifecycle, ReservationKind


def force_month_to_month(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    expected_version: int | None = None,
) -> ForcedMonthToMonth:
    """Set the flag from today on: full open-ended months, the unit blocked, no new successor.

    One that is booked already stands beside it until staff move one of the two. Raises `Refused`
    for a tenancy that is not lived in, one that ends anyway, and one that is forced already.
    """
    row = reservation_to_change(session, reservation_id, expected_version)
    _refuse_unless_living(row, clock.today())
    row.lifecycle, row.forced_on = Lifecycle.LIVING, clock.today()
    flag = ForcedMonthToMonth(
        id=new_id(), reservation_id=row.id, set_at=clock.now(), set_by=actor, cleared_at=None
    )
    session.add(flag)
    mark_changed(row, clock, actor)
    session.flush()
    return flag


def _refuse_unless_living(row: Reservation, today: date) -> None:
    if row.forced_on is not None:
        raise Refused(f"monthToMonth: the tenancy is forced since {row.forced_on} already.")
    if row.kind == ReservationKind.GUEST:
        raise Refused("monthToMonth: a short stay ends on its check-out day and is never forced.")
    state = lifecycle_now(row, today)
    if state != Lifecycle.LIVING:
        raise Refused(
            f"monthToMonth: only a tenancy that is living is forced; this one is {state}."
        )
