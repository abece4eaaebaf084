"""Maintenance projects: opening, editing, ending and reopening."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_TEXT, check_text, needed_text
from pms.foundation.audit import note_change
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.numbering import take_count
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import ProjectState, RequestState, TaskState, TicketStep
from pms.rules.upkeep_cost import project_number
from pms.upkeep.models import MaintenanceProject, MaintenanceRequest, Task
from pms.upkeep.moves import move_task
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.tasks import cancel_unneeded_task, check_place, has_records, lock_project
from pms.upkeep.ticket_updates import LONGEST_TITLE, tell_tickets
from pms.upkeep.visit_tasks import leave_visit
from pms.upkeep.visits import lock_tasks, lock_visits


def edit_project(
    work: Work,
    *,
    project_id: str,
    title: str | None,
    description: str | None,
    unit_id: str | None,
    version: int,
) -> int:
    """Return the new version; the building cannot change, as reports and charges belong to it.

    Raises `Collision` for an outdated version.
    """
    row = lock_project(work.session, project_id)
    if row.version != version:
        raise Collision("A colleague changed this project in the meantime. Check it again.")
    _building, unit = check_place(work.session, row.building_id, unit_id)
    row.title = needed_text("title", title, LONGEST_TITLE)
    row.description = check_text("description", description, LONGEST_TEXT)
    row.unit_id = unit
    row.version += 1
    note_change(work, AuditEvent.PROJECT_EDITED, row)
    work.session.flush()
    return row.version


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedProject:
    """The place and subject of a new project; the unit is empty for the shared areas."""

    building_id: str | None
    title: str | None
    unit_id: str | None = None
    description: str | None = None


def open_project(work: Work, *, wanted: WantedProject) -> str:
    """Store the project and return its id; raise `Refused` without a title or for an unknown place.

    Numbers are consecutive within a workspace and each is used once.
    """
    building_id, unit_id = check_place(work.session, wanted.building_id, wanted.unit_id)
    row = MaintenanceProject(
        id=new_id(),
        title=needed_text("title", wanted.title, LONGEST_TITLE),
        description=check_text("description", wanted.description, LONGEST_TEXT),
        building_id=building_id,
        unit_id=unit_id,
        opened_at=work.clock.now(),
        opened_by=work.actor,
        number=take_count(work.session, "project"),
    )
    work.session.add(row)
    note_change(work, AuditEvent.PROJECT_OPENED, row)
    work.session.flush()
    return row.id


def reopen_project(work: Work, *, project_id: str) -> None:
    """Open a project again, with the reports it had when it ended; its tickets are informed.

    A report that was closed for its own reason or moved to another project is left unchanged. An
    open project is left unchanged, and nothing is written.
    """
    row = lock_project(work.session, project_id)
    if row.state == ProjectState.OPEN:
        return
    row.state, row.ended_at, row.ended_by = ProjectState.OPEN, None, None
    row.version += 1
    note_change(work, AuditEvent.PROJECT_REOPENED, row)
    for request in requests_let_go(work.session, project_id):
        request.state, request.closed_at, request.closed_by = RequestState.FOLDED, None, None
        request.version += 1
        note_change(work, AuditEvent.REQUEST_FOLDED, request)
    work.session.flush()
    tell_tickets(work, step=TicketStep.REOPENED, project_id=project_id)


def requests_let_go(session: Session, project_id: str) -> list[MaintenanceRequest]:
    """Return the reports a project had when it ended and no other project has, locked."""
    wanted = (
        select(MaintenanceRequest)
        .where(
            MaintenanceRequest.project_id == project_id,
            MaintenanceRequest.state != RequestState.FOLDED,
            MaintenanceRequest.closed_because.is_(None),
        )
        .order_by(MaintenanceRequest.id)
    )
    return list(session.scalars(wanted.with_for_update().execution_options(populate_existing=True)))


_STEPS = {ProjectState.DONE: TicketStep.DONE, ProjectState.CANCELLED: TicketStep.CANCELLED}


def end_project(
    work: Work, *, project_id: str, into: ProjectState, closes_tasks: bool = False
) -> None:
    """End an open project: its reports close with it, or open again when it is cancelled.

    Its tickets are informed; hours and purchases stay. Open tasks are closed too, so that no card
    stays on the board. A project already in that state is left unchanged. Raises `Refused` for
    marking a project as done while tasks are open, unless it `closes_tasks`.
    """
    row = lock_project(work.session, project_id)
    if into not in _STEPS:
        raise Refused("state: a project can only end as done or cancelled.")
    if row.state == into:
        return
    if row.state != ProjectState.OPEN:
        raise Refused(
            "state: {number} is {state}. Reopen it first.",
            number=project_number(row.number),
            state=row.state,
        )
    ending_left = len(list_open_tasks(work.session, row.id))
    if ending_left and into == ProjectState.DONE and not closes_tasks:
        raise Refused("state: tasks not done yet: {left}. Finish them first.", left=ending_left)
    left = list_open_tasks(work.session, project_id)
    lock_visits(work.session, left)
    lock_tasks(work.session, left)
    for task_id in left:
        _close_task(work, task_id, TaskVisibility.of_project(project_id))
    row.state, row.ended_at, row.ended_by = into, work.clock.now(), work.actor
    row.version += 1
    note_change(work, AuditEvent.PROJECT_ENDED, row)
    for request in folded_requests(work.session, project_id):
        if into == ProjectState.DONE:
            request.state = RequestState.CLOSED
            request.closed_at, request.closed_by = work.clock.now(), work.actor
        else:
            # The problem still exists. The report keeps the project's id, which says where it was.
            request.state = RequestState.REPORTED
        request.version += 1
        audit_event = (
            AuditEvent.REQUEST_CLOSED if into == ProjectState.DONE else AuditEvent.REQUEST_REPORTED
        )
        note_change(work, audit_event, request)
    work.session.flush()
    tell_tickets(work, step=_STEPS[into], project_id=project_id)


def folded_requests(session: Session, project_id: str) -> list[MaintenanceRequest]:
    """Return the reports of a project, locked."""
    wanted = (
        select(MaintenanceRequest)
        .where(
            MaintenanceRequest.project_id == project_id,
            MaintenanceRequest.state == RequestState.FOLDED,
        )
        .order_by(MaintenanceRequest.id)
    )
    return list(session.scalars(wanted.with_for_update().execution_options(populate_existing=True)))


def list_open_tasks(session: Session, project_id: str) -> list[str]:
    """Return the ids of a project's tasks that are not done."""
    left = select(Task.id).where(Task.project_id == project_id, Task.state != TaskState.DONE)
    return list(session.scalars(left.order_by(Task.id)))


def _close_task(work: Work, task_id: str, visibility: TaskVisibility) -> None:
    """Cancel a task; one with hours, purchases or pictures is done instead."""
    task = locked(work.session, Task, task_id, within=visibility.narrow)
    # It may have been finished, or something logged on it, before it was locked.
    if task.state is TaskState.DONE:
        return
    if has_records(work.session, task_id):
        move_task(
            work,
            task_id=task_id,
            to=TaskState.DONE,
            visibility=visibility,
            leaves_points_open=True,
        )
        return
    # Closed first: tickets are told of the end only, not that the work is planned again.
    cancel_unneeded_task(work, task)
    leave_visit(work, task)
