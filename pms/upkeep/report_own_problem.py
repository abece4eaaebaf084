"""Reports a problem of the unit a resident lives in, with their pictures, and opens a ticket."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.sent_once import is_new
from pms.reservations.locks import locked_reservation
from pms.rules.enumerations import Lifecycle
from pms.rules.resident_reports import no_reporting
from pms.upkeep.add_upkeep_photo import add_upkeep_photo
from pms.upkeep.models import Ticket
from pms.upkeep.report_problem import ReportedProblem, report_problem
from pms.upkeep.upkeep_photos import REQUEST


def report_own_problem(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    what: str | None,
    may_enter: bool | None,
    photos: Sequence[SizedPhoto] = (),
    key: str | None = None,
) -> str | None:
    """Store the report and return the id of its ticket, `None` for a tap that arrived before.

    Raises `Refused` for a tenancy that has ended or is far from its start, and for no words.
    """
    row = locked_reservation(session, reservation_id)
    if no_reporting(Lifecycle(row.lifecycle), row.starts_on, clock.today()) is not None:
        raise Refused("report: only who lives here, or is about to, reports a problem.")
    if not is_new(session, clock, actor, key):
        return None
    building_id = session.scalar(select(Unit.building_id).where(Unit.id == row.unit_id))
    reported = ReportedProblem(
        building_id=building_id,
        unit_id=row.unit_id,
        reservation_id=row.id,
        what=what,
        may_enter=may_enter,
    )
    made = report_problem(session, clock, actor, reported=reported)
    for sized in photos:
        add_upkeep_photo(session, clock, actor, subject=(REQUEST, made), sized=sized)
    return session.scalar(select(Ticket.id).where(Ticket.request_id == made))
