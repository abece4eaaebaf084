"""Reports one problem: by a resident, who then has a ticket, or by somebody on site."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, needed_text
from pms.catalogue.models import Unit
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id, new_id
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed
from pms.rules.enumerations import TicketSide
from pms.upkeep.checked_place import checked_place
from pms.upkeep.first_line import first_line
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.open_ticket import open_ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedProblem:
    """Where something is wrong and what; the unit stays empty for the shared areas.

    `reservation_id` is the resident who tells, `may_enter` whether somebody may go in alone.
    """

    building_id: str | None
    what: str | None
    unit_id: str | None = None
    reservation_id: str | None = None
    may_enter: bool | None = None


def report_problem(session: Session, clock: Clock, actor: str, *, reported: ReportedProblem) -> str:
    """Store the report and return its id; a resident's also opens a ticket.

    Raises `Refused` for a place of nobody here, a resident of another building and no words.
    """
    building_id, unit_id = checked_place(session, reported.building_id, reported.unit_id)
    _refuse_resident_elsewhere(session, reported.reservation_id, building_id)
    row = MaintenanceRequest(
        id=new_id(),
        building_id=building_id,
        unit_id=unit_id,
        reservation_id=reported.reservation_id or None,
        what=needed_text("what", reported.what, LONGEST_TEXT),
        may_enter=reported.may_enter,
        reported_at=clock.now(),
        reported_by=actor,
    )
    session.add(row)
    note_change(session, clock, actor, Deed.REQUEST_REPORTED, row)
    session.flush()
    if row.reservation_id:
        open_ticket(
            session,
            clock,
            actor,
            reservation_id=row.reservation_id,
            subject=first_line(row.what),
            text=row.what,
            request_id=row.id,
            side=TicketSide.RESIDENT,
        )
    return row.id


def _refuse_resident_elsewhere(
    session: Session, reservation_id: str | None, building_id: str
) -> None:
    if not reservation_id:
        return
    home = (
        select(Unit.building_id)
        .join(Reservation, Reservation.unit_id == Unit.id)
        .where(Reservation.id == reservation_id)
    )
    if not is_id(reservation_id) or session.scalar(home) != building_id:
        raise Refused("reservationId: there is no such resident in this building.")
