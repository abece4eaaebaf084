"""Reporting problems."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_TEXT, needed_text
from pms.catalogue.models import Unit
from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.idempotency import is_new
from pms.foundation.ids import is_id, new_id
from pms.foundation.work import Work, locked
from pms.inbox.models import Ticket
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Lifecycle, TicketSide
from pms.rules.resident_reports import no_reporting
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.photos import REQUEST, add_upkeep_photo
from pms.upkeep.report_notices import tell_of_report
from pms.upkeep.tasks import check_place, lock_open_project
from pms.upkeep.ticket_updates import first_line, open_ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedProblem:
    """The place and description of a problem; the unit is empty for the shared areas.

    `reservation_id` is the reporting resident, `may_enter` whether staff may enter without them.
    """

    building_id: str | None
    what: str | None
    unit_id: str | None = None
    reservation_id: str | None = None
    may_enter: bool | None = None


def report_problem(work: Work, *, reported: ReportedProblem) -> str:
    """Store the report and return its id; a resident's also opens a ticket.

    Raises `Refused` for an unknown place, a resident of another building and an empty text.
    """
    building_id, unit_id = check_place(work.session, reported.building_id, reported.unit_id)
    _refuse_resident_elsewhere(work.session, reported.reservation_id, building_id)
    row = MaintenanceRequest(
        id=new_id(),
        building_id=building_id,
        unit_id=unit_id,
        reservation_id=reported.reservation_id or None,
        what=needed_text("what", reported.what, LONGEST_TEXT),
        may_enter=reported.may_enter,
        reported_at=work.clock.now(),
        reported_by=work.actor,
    )
    work.session.add(row)
    note_change(work, AuditEvent.REQUEST_REPORTED, row)
    work.session.flush()
    if row.reservation_id:
        open_ticket(
            work,
            reservation_id=row.reservation_id,
            subject=first_line(row.what),
            text=row.what,
            request_id=row.id,
            side=TicketSide.RESIDENT,
        )
    tell_of_report(work, row, first_line(row.what))
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
        raise Refused("reservationId: this resident was not found in the building.")


def report_beside_work(
    work: Work,
    *,
    project_id: str,
    what: str | None,
    is_in_unit: bool = True,
    photos: Sequence[SizedPhoto] = (),
    key: str | None = None,
) -> str | None:
    """Store the report and return its id; `None` for a form that arrived before.

    Its place is the project's unit, or the building where the project has none or the problem is
    outside it. The office decides about it: the project is unchanged.
    """
    project = lock_open_project(work.session, project_id)
    if not is_new(work.session, work.clock, work.actor, key):
        return None
    reported = ReportedProblem(
        building_id=project.building_id,
        unit_id=project.unit_id if is_in_unit else None,
        what=what,
    )
    made = report_problem(work, reported=reported)
    for sized in photos:
        add_upkeep_photo(work, subject=(REQUEST, made), sized=sized)
    return made


def report_own_problem(
    work: Work,
    *,
    reservation_id: str,
    what: str | None,
    may_enter: bool | None,
    photos: Sequence[SizedPhoto] = (),
    key: str | None = None,
) -> str | None:
    """Store the report and return the id of its ticket; `None` for a form that arrived before.

    Raises `Refused` for a tenancy that has ended or starts much later, and for an empty text.
    """
    row = locked(work.session, Reservation, reservation_id)
    if no_reporting(Lifecycle(row.lifecycle), row.starts_on, work.clock.today()) is not None:
        raise Refused("report: only current and incoming residents can report a problem.")
    if not is_new(work.session, work.clock, work.actor, key):
        return None
    building_id = work.session.scalar(select(Unit.building_id).where(Unit.id == row.unit_id))
    reported = ReportedProblem(
        building_id=building_id,
        unit_id=row.unit_id,
        reservation_id=row.id,
        what=what,
        may_enter=may_enter,
    )
    made = report_problem(work, reported=reported)
    for sized in photos:
        add_upkeep_photo(work, subject=(REQUEST, made), sized=sized)
    return work.session.scalar(select(Ticket.id).where(Ticket.request_id == made))
