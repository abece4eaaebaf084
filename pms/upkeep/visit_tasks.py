"""The tasks of a visit: putting them in, taking them out, their order."""

from collections.abc import Iterable, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event, note_change
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import is_id
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TaskState, TicketStep
from pms.rules.notices_to_people import NoticeKind
from pms.upkeep.models import Task, Visit
from pms.upkeep.task_notices import tell_assignees
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.ticket_updates import tell_tickets


def note_visit(work: Work, audit_event: AuditEvent, visit: Visit, *, count: int) -> None:
    """Record an audit event of a visit: person, building, day and the number of tasks."""
    facts = {
        "person_id": visit.person_id,
        "building_id": visit.building_id,
        "visit_on": visit.on_day,
        "note": visit.note,
        "tasks": count,
    }
    noted = {name: value for name, value in facts.items() if value is not None}
    note_audit_event(work, audit_event, ("visit", visit.id), after=noted)


MOST_TASKS = 100


def tasks_to_visit(
    session: Session,
    visit: Visit,
    task_ids: Iterable[str],
    visibility: TaskVisibility,
    *,
    may_take_over: bool,
) -> list[Task]:
    """Return the given tasks that are not part of the visit yet, locked, in the given order.

    Raises `Refused` for a task that is unknown, of another building or done, and `Collision` for
    one of another visit, unless it may be taken over.
    """
    wanted = list(dict.fromkeys(task_ids))
    if not wanted:
        raise Refused("taskIds: choose at least one task.")
    if len(wanted) > MOST_TASKS:
        raise Refused("taskIds: choose at most {most} tasks.", most=MOST_TASKS)
    found = _lock_visible_tasks(session, wanted, visibility)
    if len(found) < len(wanted):
        raise Refused("taskIds: one of these tasks was not found.")
    tasks = [task for task in (found[task_id] for task_id in wanted) if task.visit_id != visit.id]
    _refuse_unfit(visit, tasks)
    if not may_take_over and any(task.visit_id for task in tasks):
        raise Collision("taskIds: one of these tasks belongs to another visit.")
    return tasks


def put_tasks(work: Work, *, visit: Visit, tasks: Sequence[Task], standing: Sequence[Task]) -> None:
    """Append tasks to those of the visit, each assigned to the visit's person.

    Residents with a ticket about the work are informed of the day. A visit whose last task was
    taken over is deleted.
    """
    left = [task.visit_id for task in tasks if task.visit_id]
    handed = [task for task in tasks if task.assignee_id != visit.person_id]
    for task in tasks:
        task.visit_id = visit.id
        if task.assignee_id != visit.person_id:
            task.assignee_id = visit.person_id
            task.version += 1
            note_change(work, AuditEvent.TASK_ASSIGNED, task)
    number_tasks([*standing, *tasks])
    work.session.flush()
    tell_assignees(work, NoticeKind.TASK_GIVEN, handed)
    drop_empty_visits(work, left)
    for project_id in _list_project_ids(tasks):
        tell_tickets(work, step=TicketStep.VISIT_PLANNED, project_id=project_id, on=visit.on_day)


def take_out(work: Work, *, tasks: Sequence[Task]) -> None:
    """Remove tasks from their visit: they keep their assignee and may be planned again.

    Residents who were told a day are informed that the work is being planned.
    """
    for task in tasks:
        task.visit_id = task.visit_position = None
    work.session.flush()
    for project_id in _list_project_ids(task for task in tasks if task.state != TaskState.DONE):
        if not _is_planned(work.session, project_id):
            step = TicketStep.PLANNED
            tell_tickets(work, step=step, project_id=project_id)


def number_tasks(tasks: Sequence[Task]) -> None:
    """Store the order of tasks, counted from 1."""
    for place, task in enumerate(tasks, start=1):
        task.visit_position = place


def leave_visit(work: Work, task: Task) -> None:
    """Remove a task from its visit, which is deleted with its last one."""
    left = [task.visit_id] if task.visit_id else []
    if left:
        take_out(work, tasks=[task])
        drop_empty_visits(work, left)


def drop_empty_visits(work: Work, visit_ids: Iterable[str]) -> None:
    """Cancel those of the visits that have no task any more."""
    for visit_id in sorted(set(visit_ids)):
        visit = work.session.scalar(select(Visit).where(Visit.id == visit_id).with_for_update())
        # Queried once no other transaction can add a task.
        holds = work.session.scalar(select(Task.id).where(Task.visit_id == visit_id).limit(1))
        if holds is None and visit is not None:
            note_visit(work, AuditEvent.VISIT_CANCELLED, visit, count=0)
            work.session.delete(visit)
    work.session.flush()


def _lock_visible_tasks(
    session: Session, task_ids: Sequence[str], visibility: TaskVisibility
) -> dict[str, Task]:
    known = [task_id for task_id in task_ids if is_id(task_id)]
    question = visibility.narrow(select(Task).where(Task.id.in_(known)))
    rows = session.scalars(
        question.order_by(Task.id).with_for_update().execution_options(populate_existing=True)
    )
    return {task.id: task for task in rows}


def _refuse_unfit(visit: Visit, tasks: Iterable[Task]) -> None:
    for task in tasks:
        if task.building_id != visit.building_id:
            raise Refused("taskIds: one of these tasks belongs to another building.")
        if task.state == TaskState.DONE:
            raise Refused("taskIds: one of these tasks is already done.")


def _list_project_ids(tasks: Iterable[Task]) -> Sequence[str]:
    return sorted({task.project_id for task in tasks if task.project_id})


def _is_planned(session: Session, project_id: str) -> bool:
    planned = select(Task.id).where(
        Task.project_id == project_id,
        Task.visit_id.is_not(None),
        Task.state != TaskState.DONE,
    )
    return session.scalar(planned.limit(1)) is not None
