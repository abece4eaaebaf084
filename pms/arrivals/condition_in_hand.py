"""Takes the report of a unit's condition in hand, while it is the resident's to write."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.models import ConditionReport
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.reservations.locks import locked_reservation
from pms.reservations.models import Reservation
from pms.rules.condition_window import ConditionWindow, condition_window
from pms.rules.days import readable
from pms.rules.enumerations import Lifecycle, ReservationKind

_OVER = (Lifecycle.CANCELLED, Lifecycle.TRANSFERRED)


def window_of(row: Reservation) -> ConditionWindow | None:
    """Return when this resident may report; guests do not, nor who never came."""
    if row.kind != ReservationKind.RESIDENT or row.lifecycle in _OVER:
        return None
    return condition_window(readable(row.arrival_date), row.starts_on)


def report_in_hand(session: Session, clock: Clock, reservation_id: str) -> ConditionReport:
    """Return the report, begun if nobody did; the reservation is locked.

    Raises `NotFound` for a reservation of nobody here, `Refused` for a report that was sent and
    for a day outside its window.
    """
    row = locked_reservation(session, reservation_id)
    found = session.scalar(
        select(ConditionReport)
        .where(ConditionReport.reservation_id == row.id)
        .execution_options(populate_existing=True)
    )
    if found is not None and found.sent_at is not None:
        raise Refused("report: it was sent already and is kept as it was.")
    _refuse_outside(window_of(row), clock)
    if found is None:
        found = ConditionReport(id=new_id(), reservation_id=row.id, started_at=clock.now())
        session.add(found)
        session.flush()
    return found


def _refuse_outside(window: ConditionWindow | None, clock: Clock) -> None:
    if window is None:
        raise Refused("report: this reservation has no report of its condition.")
    if not window.is_open(clock.today()):
        raise Refused(
            "report: it is open from {opens_on} through {closes_on}; today is {today}.",
            opens_on=window.opens_on,
            closes_on=window.closes_on,
            today=clock.today(),
        )
