"""Puts tasks into a visit, takes them out of it, and keeps them in order."""

from collections.abc import Iterable, Sequence

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.rules.deeds import Deed
from pms.rules.enumerations import TaskState, TicketStep
from pms.upkeep.models import Task, Visit
from pms.upkeep.reach import Reach
from pms.upkeep.tell_tickets import tell_tickets
from pms.upkeep.visit_facts import note_visit

MOST_TASKS = 100


def tasks_in_order(session: Session, visit_id: str) -> list[Task]:
    """Return the tasks of a visit, locked, in the order in which they are done."""
    session.flush()
    tasks = session.scalars(
        select(Task)
        .where(Task.visit_id == visit_id)
        .order_by(Task.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return sorted(tasks, key=lambda task: (task.visit_position or 0, task.id))


def lock_plans(session: Session, *, building_id: str) -> None:
    """Let one after the other plan, move and hand on visits to a building.

    What they make and drop has no row that could be locked before.
    """
    building = select(Building.id).where(Building.id == building_id)
    session.execute(building.with_for_update(key_share=True)).all()


def lock_plans_of(session: Session, visit_id: str) -> None:
    """Do so for the building of a visit, before the visit is locked."""
    known = select(Visit.building_id).where(Visit.id == visit_id)
    building_id = session.scalar(known) if is_id(visit_id) else None
    if building_id is not None:
        lock_plans(session, building_id=building_id)


def lock_visits(
    session: Session, task_ids: Iterable[str], *, also: Iterable[str] = ()
) -> Sequence[str]:
    """Lock the visits that hold these tasks, and others, in the order of their ids.

    Visits are locked before tasks (docs/decisions/locks-and-retries.md). Returns the ids of what
    was locked.
    """
    known = [task_id for task_id in task_ids if is_id(task_id)]
    held = select(Task.visit_id).where(one_of(Task.id, known))
    wanted = or_(Visit.id.in_(held), Visit.id.in_(list(also)))
    visits = select(Visit.id).where(wanted).order_by(Visit.id)
    return session.scalars(visits.with_for_update()).all()


def lock_tasks(session: Session, task_ids: Sequence[str]) -> None:
    """Lock tasks in the order of their ids, once their visits are locked."""
    tasks = select(Task.id).where(one_of(Task.id, list(task_ids))).order_by(Task.id)
    session.execute(tasks.with_for_update()).all()


def tasks_to_visit(
    session: Session,
    visit: Visit,
    task_ids: Iterable[str],
    reach: Reach,
    *,
    may_take_over: bool,
) -> list[Task]:
    """Return the tasks asked for that are not part of the visit yet, locked, as asked.

    Raises `Refused` for a task that is not here, of another building or done, and `Collision`
    for one that another visit holds, unless it may be taken over.
    """
    wanted = list(dict.fromkeys(task_ids))
    if not wanted:
        raise Refused("taskIds: choose at least one task.")
    if len(wanted) > MOST_TASKS:
        raise Refused("taskIds: at most {most} tasks.", most=MOST_TASKS)
    found = _locked(session, wanted, reach)
    if len(found) < len(wanted):
        raise Refused("taskIds: one of these tasks is not here.")
    tasks = [task for task in (found[task_id] for task_id in wanted) if task.visit_id != visit.id]
    _refuse_unfit(visit, tasks)
    if not may_take_over and any(task.visit_id for task in tasks):
        raise Collision("taskIds: one of these tasks is part of another visit.")
    return tasks


def put_tasks(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    visit: Visit,
    tasks: Sequence[Task],
    standing: Sequence[Task],
) -> None:
    """Append tasks to those that stand in the visit, each given to whoever makes it.

    Residents with a ticket about the work are told the day. A visit whose last task was taken
    over falls away.
    """
    left = [task.visit_id for task in tasks if task.visit_id]
    for task in tasks:
        task.visit_id = visit.id
        if task.assignee_id != visit.person_id:
            task.assignee_id = visit.person_id
            task.version += 1
            note_change(session, clock, actor, Deed.TASK_ASSIGNED, task)
    number_tasks([*standing, *tasks])
    session.flush()
    drop_empty_visits(session, clock, actor, left)
    for project_id in _projects(tasks):
        tell_tickets(
            session,
            clock,
            actor,
            step=TicketStep.VISIT_PLANNED,
            project_id=project_id,
            on=visit.on_day,
        )


def take_out(session: Session, clock: Clock, actor: str, *, tasks: Sequence[Task]) -> None:
    """Give tasks back: they stay with whom they were given to, and may be planned anew.

    Residents who were told a day hear that the work is being planned.
    """
    for task in tasks:
        task.visit_id = task.visit_position = None
    session.flush()
    for project_id in _projects(task for task in tasks if task.state != TaskState.DONE):
        if not _is_planned(session, project_id):
            step = TicketStep.PLANNED
            tell_tickets(session, clock, actor, step=step, project_id=project_id)


def number_tasks(tasks: Sequence[Task]) -> None:
    """Write the order of tasks, counted from 1."""
    for place, task in enumerate(tasks, start=1):
        task.visit_position = place


def leave_visit(session: Session, clock: Clock, actor: str, task: Task) -> None:
    """Take a task out of its visit, which falls away with its last one."""
    left = [task.visit_id] if task.visit_id else []
    if left:
        take_out(session, clock, actor, tasks=[task])
        drop_empty_visits(session, clock, actor, left)


def drop_empty_visits(session: Session, clock: Clock, actor: str, visit_ids: Iterable[str]) -> None:
    """Call off those of the visits that hold no task any more."""
    for visit_id in sorted(set(visit_ids)):
        visit = session.scalar(select(Visit).where(Visit.id == visit_id).with_for_update())
        # Asked once nobody else can put a task into it.
        holds = session.scalar(select(Task.id).where(Task.visit_id == visit_id).limit(1))
        if holds is None and visit is not None:
            note_visit(session, clock, actor, Deed.VISIT_CANCELLED, visit, count=0)
            session.delete(visit)
    session.flush()


def _locked(session: Session, task_ids: Sequence[str], reach: Reach) -> dict[str, Task]:
    known = [task_id for task_id in task_ids if is_id(task_id)]
    question = reach.narrow(select(Task).where(Task.id.in_(known)))
    rows = session.scalars(
        question.order_by(Task.id).with_for_update().execution_options(populate_existing=True)
    )
    return {task.id: task for task in rows}


def _refuse_unfit(visit: Visit, tasks: Iterable[Task]) -> None:
    for task in tasks:
        if task.building_id != visit.building_id:
            raise Refused("taskIds: one of these tasks is of another building.")
        if task.state == TaskState.DONE:
            raise Refused("taskIds: one of these tasks is done already.")


def _projects(tasks: Iterable[Task]) -> Sequence[str]:
    return sorted({task.project_id for task in tasks if task.project_id})


def _is_planned(session: Session, project_id: str) -> bool:
    planned = select(Task.id).where(
        Task.project_id == project_id,
        Task.visit_id.is_not(None),
        Task.state != TaskState.DONE,
    )
    return session.scalar(planned.limit(1)) is not None
