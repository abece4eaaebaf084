"""Ends a project: its work is done, or it was called off."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed
from pms.rules.enumerations import ProjectState, RequestState, TaskState, TicketStep
from pms.rules.project_number import project_number
from pms.upkeep.cancel_task import close_unneeded, has_records
from pms.upkeep.known_task import task_in_hand
from pms.upkeep.models import MaintenanceProject, MaintenanceRequest, Task
from pms.upkeep.move_task import move_task
from pms.upkeep.reach import Reach
from pms.upkeep.tell_tickets import tell_tickets
from pms.upkeep.upkeep_in_hand import project_in_hand
from pms.upkeep.visit_tasks import leave_visit, lock_tasks, lock_visits

_STEPS = {ProjectState.DONE: TicketStep.DONE, ProjectState.CANCELLED: TicketStep.CANCELLED}


def end_project(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    project_id: str,
    into: ProjectState,
    closes_tasks: bool = False,
) -> None:
    """End a project that is open: its reports close with it, or come back when it is cancelled.

    Its tickets are told, hours and purchases stay. Tasks that are left close with it, so that no
    card stays behind on the board. Where it is already, nothing is written. Raises `Refused` for
    work that is said to be done while a task of it is not, unless it `closes_tasks`.
    """
    row = project_in_hand(session, project_id)
    if into not in _STEPS:
        raise Refused("state: a project ends as done or cancelled.")
    if row.state == into:
        return
    _refuse(session, row, into, closes_tasks=closes_tasks)
    left = tasks_left(session, project_id)
    lock_visits(session, left)
    lock_tasks(session, left)
    for task_id in left:
        _close_task(session, clock, actor, task_id, Reach.of_project(project_id))
    row.state, row.ended_at, row.ended_by = into, clock.now(), actor
    row.version += 1
    note_change(session, clock, actor, Deed.PROJECT_ENDED, row)
    for request in folded_requests(session, project_id):
        _let_go(session, clock, actor, request, into)
    session.flush()
    tell_tickets(session, clock, actor, step=_STEPS[into], project_id=project_id)


def folded_requests(session: Session, project_id: str) -> list[MaintenanceRequest]:
    """Return the reports that are part of a project, locked."""
    wanted = (
        select(MaintenanceRequest)
        .where(
            MaintenanceRequest.project_id == project_id,
            MaintenanceRequest.state == RequestState.FOLDED,
        )
        .order_by(MaintenanceRequest.id)
    )
    return list(session.scalars(wanted.with_for_update().execution_options(populate_existing=True)))


def tasks_left(session: Session, project_id: str) -> list[str]:
    """Return the ids of a project's tasks that are not done."""
    left = select(Task.id).where(Task.project_id == project_id, Task.state != TaskState.DONE)
    return list(session.scalars(left.order_by(Task.id)))


def _close_task(session: Session, clock: Clock, actor: str, task_id: str, reach: Reach) -> None:
    """Cancel a task; one that somebody worked on, as what was logged says, is done instead."""
    task = task_in_hand(session, task_id, reach)
    # Somebody may have finished it, or logged something about it, until it was locked.
    if task.state is TaskState.DONE:
        return
    if has_records(session, task_id):
        move_task(session, clock, actor, task_id=task_id, to=TaskState.DONE, reach=reach)
        return
    # Closed first: the conversations hear of the end alone, not that the work is planned anew.
    close_unneeded(session, clock, actor, task)
    leave_visit(session, clock, actor, task)


def _refuse(
    session: Session, row: MaintenanceProject, into: ProjectState, *, closes_tasks: bool
) -> None:
    if row.state != ProjectState.OPEN:
        raise Refused(
            "state: {number} is {state}. Reopen it first.",
            number=project_number(row.number),
            state=row.state,
        )
    left = len(tasks_left(session, row.id))
    if left and into == ProjectState.DONE and not closes_tasks:
        raise Refused("state: tasks that are not done yet: {left}. Finish them first.", left=left)


def _let_go(
    session: Session,
    clock: Clock,
    actor: str,
    request: MaintenanceRequest,
    into: ProjectState,
) -> None:
    if into == ProjectState.DONE:
        request.state = RequestState.CLOSED
        request.closed_at, request.closed_by = clock.now(), actor
    else:
        # The problem is still there. It keeps the project's id, which says where it was.
        request.state = RequestState.REPORTED
    request.version += 1
    deed = Deed.REQUEST_CLOSED if into == ProjectState.DONE else Deed.REQUEST_REPORTED
    note_change(session, clock, actor, deed, request)
