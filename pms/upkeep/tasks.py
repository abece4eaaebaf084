"""Tasks: adding, editing, cancelling and restoring them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_LINE, LONGEST_TEXT, check_text, needed_text
from pms.catalogue.models import Building, Unit
from pms.foundation.audit import note_audit_event, note_change
from pms.foundation.errors import Collision, NotFound, Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.work import Work, has_row, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import ProjectState, TaskKind, TaskState
from pms.rules.notices_to_people import NoticeKind
from pms.rules.upkeep_cost import project_number
from pms.upkeep.checklists import checklist_points
from pms.upkeep.models import (
    HoursLog,
    MaintenanceProject,
    MaintenanceRequest,
    Purchase,
    Task,
    TaskItem,
    TaskMove,
    TaskNote,
    UpkeepPhoto,
)
from pms.upkeep.moves import LONGEST_NOTE, refuse_if_moved
from pms.upkeep.task_notices import tell_assignees
from pms.upkeep.task_visibility import TaskVisibility, known_assignee, task_to_change
from pms.upkeep.visit_tasks import leave_visit
from pms.upkeep.visits import lock_visits


def check_place(
    session: Session, building_id: str | None, unit_id: str | None
) -> tuple[str, str | None]:
    """Return the ids of a building and perhaps a unit of it; a unit alone determines its building.

    Raises `Refused` for an unknown place, and for a unit of another building.
    """
    if unit_id:
        home = select(Unit.building_id).where(Unit.id == unit_id)
        found = session.scalar(home) if is_id(unit_id) else None
        if found is None or building_id not in (None, "", found):
            raise Refused("unitId: this unit was not found in the building.")
        return found, unit_id
    if not building_id or not has_row(session, Building, building_id):
        raise Refused("buildingId: this building was not found.")
    return building_id, None


def lock_project(session: Session, project_id: str) -> MaintenanceProject:
    """Return the project, locked; raise `NotFound` for an unknown id."""
    return locked(session, MaintenanceProject, project_id)


def lock_open_project(session: Session, project_id: str) -> MaintenanceProject:
    """Return the project, locked; raise `Refused` when it is over."""
    project = lock_project(session, project_id)
    refuse_if_over(project)
    return project


def refuse_if_over(project: MaintenanceProject) -> None:
    """Raise `Refused` when a project is over."""
    if project.state != ProjectState.OPEN:
        raise Refused(
            "state: {number} is {state}. Reopen it first.",
            number=project_number(project.number),
            state=project.state,
        )


def project_of_task(session: Session, task_id: str) -> MaintenanceProject | None:
    """Return the project of a task, if it has one, locked before the task.

    The order of locks is in docs/decisions/locks-and-retries.md.
    """
    if not is_id(task_id):
        return None
    asked = select(Task.project_id).where(Task.id == task_id)
    project_id = session.scalar(asked)
    return None if project_id is None else lock_project(session, project_id)


def lock_requests(session: Session, request_ids: Sequence[str]) -> list[MaintenanceRequest]:
    """Return reports, locked in the order of their ids; raise `NotFound` for an unknown one."""
    wanted = set(request_ids)
    for request_id in wanted:
        if not is_id(request_id):
            raise no_such("report", request_id)
    question = (
        select(MaintenanceRequest)
        .where(MaintenanceRequest.id.in_(wanted))
        .order_by(MaintenanceRequest.id)
    )
    rows = session.scalars(
        question.with_for_update().execution_options(populate_existing=True)
    ).all()
    missing = wanted - {row.id for row in rows}
    if missing:
        raise no_such("report", min(missing))
    return list(rows)


_SAYS_ITSELF: Final = frozenset({TaskKind.TURNOVER, TaskKind.CLEANING, TaskKind.INSPECTION})


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedTask:
    """The fields of a new task: its kind, place, first day, due day and assignee."""

    kind: TaskKind
    building_id: str
    unit_id: str | None = None
    project_id: str | None = None
    title: str | None = None
    note: str | None = None
    opens_on: date | None = None
    due_on: date | None = None
    assignee_id: str | None = None


def add_task(work: Work, *, wanted: WantedTask) -> str:
    """Store the task with the checklist of its kind and return its id.

    Raises `Refused` for an unknown place, project or person, for a due day before the first day,
    and for a repair or other work without a title.
    """
    building_id, unit_id = check_place(work.session, wanted.building_id, wanted.unit_id)
    if wanted.project_id:
        refuse_strange_project(work.session, wanted.project_id, building_id)
    refuse_reversed_window(wanted.opens_on, wanted.due_on)
    row = Task(
        id=new_id(),
        kind=wanted.kind,
        state=TaskState.TODO,
        state_since=work.clock.now(),
        state_by=work.actor,
        building_id=building_id,
        unit_id=unit_id,
        project_id=wanted.project_id or None,
        title=check_title(wanted.kind, wanted.title),
        note=check_text("note", wanted.note, LONGEST_TEXT),
        opens_on=wanted.opens_on,
        due_on=wanted.due_on,
        assignee_id=known_assignee(work.session, wanted.assignee_id, building_id),
        created_at=work.clock.now(),
        created_by=work.actor,
    )
    work.session.add(row)
    note_change(work, AuditEvent.TASK_ADDED, row)
    work.session.flush()
    session = work.session
    points = checklist_points(session, row.kind, row.building_id)
    session.add_all(
        TaskItem(id=new_id(), task_id=row.id, position=place, text_ja=point.ja, text_en=point.en)
        for place, point in enumerate(points, start=1)
    )
    session.flush()
    tell_assignees(work, NoticeKind.TASK_GIVEN, [row])
    return row.id


def needs_title(kind: TaskKind) -> bool:
    """Tell whether a task needs a title: some kinds name the work themselves."""
    return kind not in _SAYS_ITSELF


def check_title(kind: TaskKind, title: str | None) -> str | None:
    """Return the title; refuse a missing one where the kind needs it."""
    check = needed_text if needs_title(kind) else check_text
    return check("title", title, LONGEST_LINE)


def refuse_reversed_window(opens_on: date | None, due_on: date | None) -> None:
    """Raise `Refused` when the due day is before the day the place is free."""
    if opens_on is not None and due_on is not None and due_on < opens_on:
        raise Refused(
            "dueOn: {due_on} is before {opens_on}, when the unit becomes free.",
            due_on=due_on,
            opens_on=opens_on,
        )


def refuse_strange_project(session: Session, project_id: str | None, building_id: str) -> None:
    """Raise `Refused` for a project that is unknown, of another building, or over."""
    if not project_id:
        return
    try:
        project = lock_open_project(session, project_id)
    except NotFound:
        raise Refused("projectId: this project was not found.") from None
    if project.building_id != building_id:
        raise Refused("projectId: this project is in another building.")


def cancel_task(
    work: Work,
    *,
    task_id: str,
    reason: str | None,
    visibility: TaskVisibility,
    seen_moves: int | None = None,
) -> None:
    """Cancel a task and store the reason as a note; repeating it changes nothing.

    It is removed from its visit. Raises `Refused` for a task that is done, for one with hours,
    purchases or pictures, for the cleaning of a coming departure, and on site for a task of
    somebody else; `Collision` when others moved it since `seen_moves`.
    """
    text = needed_text("reason", reason, LONGEST_NOTE)
    lock_visits(work.session, [task_id])
    task = locked(work.session, Task, task_id, within=visibility.narrow)
    if task.cancelled_at is not None:
        return
    refuse_if_others(task, work.actor, visibility)
    if seen_moves is not None and seen_moves != task.moves:
        refuse_if_moved(work.session, work.actor, task_id, seen_moves, task.moves)
    _refuse_cancelling(work.session, task)
    work.session.add(
        TaskNote(id=new_id(), task_id=task.id, text=text, at=work.clock.now(), by=work.actor)
    )
    # Residents who were told a day for this work are informed first that it is no longer planned.
    leave_visit(work, task)
    cancel_unneeded_task(work, task, text)


def cancel_unneeded_task(work: Work, task: Task, because: str | None = None) -> None:
    """Mark the task as cancelled; its moves record the state it had."""
    facts = {"cancelled_because": because} if because else {}
    before = {"state": task.state.value}
    task.state, task.hold_reason = TaskState.DONE, None
    task.state_since = task.cancelled_at = work.clock.now()
    task.state_by = work.actor
    task.version += 1
    note_audit_event(work, AuditEvent.TASK_CANCELLED, ("task", task.id), before=before, after=facts)
    work.session.flush()


def has_records(session: Session, task_id: str) -> bool:
    """Whether the task has hours, purchases or pictures."""
    # Three short queries, each by its own index.
    for model in (HoursLog, Purchase):
        logged = select(model.id).where(model.task_id == task_id, model.removed_at.is_(None))
        if session.scalar(logged.limit(1)) is not None:
            return True
    pictured = select(UpkeepPhoto.id).where(UpkeepPhoto.task_id == task_id)
    return session.scalar(pictured.limit(1)) is not None


def may_cancel(created_by: str, own: str, visibility: TaskVisibility) -> bool:
    """Whether a person may cancel a task: the office any, staff on site those they added."""
    return visibility.is_everything or created_by == own


def refuse_if_others(task: Task, own: str, visibility: TaskVisibility) -> None:
    """Raise `Refused` when the person may not cancel or restore the task."""
    if not may_cancel(task.created_by, own, visibility):
        raise Refused("state: you can only cancel tasks you added yourself. Ask the office.")


def _refuse_cancelling(session: Session, task: Task) -> None:
    if task.state is TaskState.DONE:
        raise Refused("state: this task is already done.")
    if task.leaving_id is not None and task.released_at is None:
        raise Refused(
            "state: this cleaning belongs to a move-out and would be created again. It is "
            "removed when the move-out is."
        )
    if has_records(session, task.id):
        raise Refused("state: this task has hours, purchases or photos. Mark it as done instead.")


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTask:
    """The editable fields of a task; a turnover's days follow from its stays instead.

    `unit_id` is used only when `is_placed`: another unit of its building, or none. `project_id` is
    used only when `is_filed`: an open project of its building, or none.
    """

    title: str | None = None
    note: str | None = None
    opens_on: date | None = None
    due_on: date | None = None
    unit_id: str | None = None
    is_placed: bool = False
    project_id: str | None = None
    is_filed: bool = False


def edit_task(
    work: Work, *, task_id: str, written: WrittenTask, version: int, visibility: TaskVisibility
) -> None:
    """Store what differs; raise `Collision` for an outdated version.

    The days of a turnover are not changed: they follow its departure and the next arrival. Raises
    `Refused` for moving a turnover, a done task or another person's to another unit, and for moving
    a task into, or out of, a project that is over.
    """
    if written.is_filed:
        _hold_projects(work.session, task_id, written.project_id or None)
    task = task_to_change(work.session, task_id, visibility)
    if task.version != version:
        raise Collision("version: a colleague changed this task in the meantime. Check it again.")
    task.title = check_title(task.kind, written.title)
    task.note = check_text("note", written.note, LONGEST_TEXT)
    if task.leaving_id is None:
        refuse_reversed_window(written.opens_on, written.due_on)
        task.opens_on, task.due_on = written.opens_on, written.due_on
    if written.is_placed and (written.unit_id or None) != task.unit_id:
        if task.leaving_id is not None:
            raise Refused("unitId: the unit of a move-out cleaning cannot be changed.")
        if task.state is TaskState.DONE:
            raise Refused("unitId: this task is done, so its place cannot be changed.")
        if not may_cancel(task.created_by, work.actor, visibility):
            raise Refused("unitId: you can only move tasks you added yourself. Ask the office.")
        _, task.unit_id = check_place(work.session, task.building_id, written.unit_id)
    if written.is_filed and (written.project_id or None) != task.project_id:
        refuse_strange_project(work.session, written.project_id, task.building_id)
        task.project_id = written.project_id or None
    if work.session.is_modified(task):
        task.version += 1
        note_change(work, AuditEvent.TASK_EDITED, task)
        tell_assignees(work, NoticeKind.TASK_CHANGED, [task])
    work.session.flush()


def _hold_projects(session: Session, task_id: str, into: str | None) -> None:
    """Lock the projects a task leaves and joins before the task, as ending a project does."""
    known = session.scalar(select(Task.project_id).where(Task.id == task_id))
    if known == into:
        return
    for project_id in sorted(id_ for id_ in (known, into) if id_):
        lock_open_project(session, project_id)


def restore_task(work: Work, *, task_id: str, visibility: TaskVisibility) -> None:
    """Restore a cancelled task to the state of its last move; any other is left unchanged.

    It belongs to no visit afterwards. Raises `Refused` on site for a task of somebody else, and
    while its project is over.
    """
    project = project_of_task(work.session, task_id)
    task = locked(work.session, Task, task_id, within=visibility.narrow)
    if task.cancelled_at is None:
        return
    refuse_if_others(task, work.actor, visibility)
    if task.project_id != (project.id if project else None):
        raise Collision("version: a colleague changed this task in the meantime. Check it again.")
    if project is not None:
        refuse_if_over(project)
    _put_back(work.session, task)
    task.cancelled_at = None
    task.version += 1
    after = {"state": task.state.value}
    note_audit_event(work, AuditEvent.TASK_RESTORED, ("task", task.id), after=after)
    work.session.flush()


def _put_back(session: Session, task: Task) -> None:
    steps = select(TaskMove).where(TaskMove.task_id == task.id)
    last = session.scalar(steps.order_by(TaskMove.id.desc()).limit(1))
    if last is None:
        task.state, task.state_since, task.state_by = (
            TaskState.TODO,
            task.created_at,
            task.created_by,
        )
        return
    task.state, task.hold_reason = last.to_state, last.hold_reason
    task.state_since, task.state_by = last.at, last.by
