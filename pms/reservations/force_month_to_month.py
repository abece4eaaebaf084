"""Forces a living tenancy month to month (specification, Month to month, Forced by staff)."""

from datetime import date

from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.reservations.changing import lifecycle_now, mark_changed, reservation_to_change
from pms.reservations.models import ForcedMonthToMonth, Reservation
from pms.rules.deeds import Deed
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
    refuse_forcing(row, clock.today())
    row.lifecycle, row.forced_on = Lifecycle.LIVING, clock.today()
    flag = ForcedMonthToMonth(
        id=new_id(), reservation_id=row.id, set_at=clock.now(), set_by=actor, cleared_at=None
    )
    session.add(flag)
    mark_changed(row, clock, actor)
    note_change(session, clock, actor, Deed.MONTH_TO_MONTH_FORCED, row)
    session.flush()
    return flag


def refuse_forcing(row: Reservation, today: date) -> None:
    """Raise `Refused` for a tenancy that staff cannot force."""
    if row.forced_on is not None:
        raise Refused(
            "monthToMonth: the tenancy is forced since {forced_on} already.",
            forced_on=row.forced_on,
        )
    if row.kind == ReservationKind.GUEST:
        raise Refused("monthToMonth: a short stay ends on its check-out day and is never forced.")
    state = lifecycle_now(row, today)
    if state != Lifecycle.LIVING:
        raise Refused(
            "monthToMonth: only a tenancy that is living is forced; this one is {state}.",
            state=state,
        )
