"""Reported problems: reporting them and folding them into projects."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_TEXT, needed_text
from pms.catalogue.models import Unit
from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.audit import note_change
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.idempotency import is_new
from pms.foundation.ids import is_id, new_id
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.inbox.models import Ticket
from pms.reservations.models import Reservation
from pms.reservations.tenancies import RESIDENTS
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Lifecycle, RequestState, TicketSide, TicketStep
from pms.rules.resident_reports import no_reporting
from pms.rules.tenancy_way import ENDED
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.photos import REQUEST, add_upkeep_photo
from pms.upkeep.projects import WantedProject, open_project
from pms.upkeep.tasks import check_place, lock_open_project, lock_requests
from pms.upkeep.ticket_updates import first_line, open_ticket, tell_tickets


def fold_requests(
    work: Work,
    *,
    request_ids: Sequence[str],
    project_id: str | None = None,
    title: str | None = None,
) -> str:
    """Return the id of the project that the reports now belong to, and inform their tickets.

    Without a project a new one is opened, named by `title` or by the first line of the first
    report. A report that is part of the project already is left unchanged. Raises `Refused` for
    reports of several buildings and for a project that is over, `Collision` when somebody else
    folded or closed one of them.
    """
    if not request_ids:
        raise Refused("requestIds: choose at least one report.")
    # The project is locked before its reports, as everywhere, so that no deadlock can arise.
    project = lock_open_project(work.session, project_id) if project_id else None
    rows = lock_requests(work.session, request_ids)
    if len({row.building_id for row in rows}) > 1:
        raise Refused("requestIds: these reports come from more than one building.")
    if project is not None and project.building_id != rows[0].building_id:
        raise Refused("projectId: this project belongs to another building.")
    moving = [row for row in rows if not _is_part(row, project_id)]
    _refuse_taken(moving)
    into = project_id or _open_project_of_requests(work, rows, title)
    for row in moving:
        _fold_request(work, row, into)
    return into


def _is_part(row: MaintenanceRequest, project_id: str | None) -> bool:
    return row.state == RequestState.FOLDED and row.project_id == project_id


def _refuse_taken(rows: Sequence[MaintenanceRequest]) -> None:
    if any(row.state == RequestState.FOLDED for row in rows):
        raise Collision("A report was added to another project in the meantime. Check it again.")
    if any(row.state == RequestState.CLOSED for row in rows):
        raise Collision("A report was closed in the meantime. Check it again.")


def _open_project_of_requests(
    work: Work, rows: Sequence[MaintenanceRequest], title: str | None
) -> str:
    units = {row.unit_id for row in rows}
    wanted = WantedProject(
        building_id=rows[0].building_id,
        unit_id=rows[0].unit_id if len(units) == 1 else None,
        title=title or first_line(rows[0].what),
    )
    return open_project(work, wanted=wanted)


def _fold_request(work: Work, row: MaintenanceRequest, project_id: str) -> None:
    row.state, row.project_id = RequestState.FOLDED, project_id
    row.version += 1
    note_change(work, AuditEvent.REQUEST_FOLDED, row)
    work.session.flush()
    tell_tickets(work, step=TicketStep.PLANNED, request_id=row.id)


class ReportingResident(NamedTuple):
    """A resident who could report through their own portal today."""

    reservation_id: str
    name: str
    unit_id: str
    unit_name: str


class ReservedPlace(NamedTuple):
    """The unit and building of a reservation."""

    building_id: str
    unit_id: str


_IN_UNIT = refers_to(Reservation.unit_id, Unit)


def reporting_residents(
    session: Session, building_id: str, today: date
) -> Sequence[ReportingResident]:
    """Return the residents who can report from a building today, by unit; guests have no portal."""
    if not is_id(building_id):
        return []
    rows = session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Unit.id,
            Unit.name,
            Reservation.lifecycle,
            Reservation.starts_on,
        )
        .join(Unit, _IN_UNIT)
        .where(
            Unit.building_id == building_id,
            Reservation.kind.in_(RESIDENTS),
            Reservation.lifecycle.not_in(ENDED),
        )
        .order_by(Unit.name_key, Unit.id, Reservation.starts_on, Reservation.id)
    )
    return [
        ReportingResident(*who)
        for *who, lifecycle, starts_on in rows
        if no_reporting(Lifecycle(lifecycle), starts_on, today) is None
    ]


def home_of(session: Session, reservation_id: str) -> ReservedPlace:
    """Return the place of a reservation; raise `NotFound` for an unknown id."""
    wanted = select(Unit.building_id, Unit.id).join(Reservation, _IN_UNIT)
    row = (
        session.execute(wanted.where(Reservation.id == reservation_id)).first()
        if is_id(reservation_id)
        else None
    )
    if row is None:
        raise no_such("reservation", reservation_id)
    return ReservedPlace._make(row)


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
